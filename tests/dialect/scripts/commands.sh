### functions 2
outer() { inner() { echo inner; }; inner; }; outer; inner; rec() { (( $1 > 0 )) && { echo -n "$1 "; rec $(($1-1)); }; }; rec 5; echo; f() { echo "$@"; echo "$*"; printf '<%s>' "$@"; echo; }; f "a b" c ''; f; g() { shift; echo $# "$@"; set -- x y; echo $1; }; g 1 2 3; echo "$#"

### functions 3
swap() { local -n a=$1 b=$2; local t=$a; a=$b; b=$t; }; x=1 y=2; swap x y; echo $x $y; setv() { printf -v "$1" '%s' "$2"; }; setv foo "bar baz"; echo "$foo"; ind=foo; echo "${!ind}"; declare "dyn_$ind=val"; echo "$dyn_foo"; eval "ev_$ind='1 2'"; echo "$ev_foo"; addto() { local -n m=$1; m[$2]=$3; }; declare -A mm; addto mm k v; echo "${mm[k]}"; echo ${!dyn_*}

### functions 5
f() { echo out; echo err >&2; return 5; }; x=$(f 2>/dev/null); echo "$? $x"; f >/dev/null 2>&1; echo $?; if out=$(f 2>&1); then echo t; else echo "f $?: $out"; fi; f | cat; echo "${PIPESTATUS[0]}"; { f; } 2>&1 | sort; (f; exit 9) >/dev/null 2>&1; echo $?; x=1; (x=2; echo $x); echo $x; { x=3; }; echo $x; echo "$(x=9; echo $x)" $x

### case 1
for w in apple banana cherry 42 -x "" "a b" foo.txt; do case "$w" in a*) echo A;; b*|c*) echo BC;; [0-9]*) echo num;; -*) echo opt;; "") echo empty;; *\ *) echo space;; *.txt) echo txt;;& *) echo other;; esac; done; case x in x) echo 1;& y) echo 2;; z) echo 3;; esac; shopt -s nocasematch; case FOO in foo) echo ci;; esac; [[ ABC == abc ]] && echo ci2

### select
PS3='pick: '; select x in red green quit; do case $x in quit) break;; "") echo invalid $REPLY;; *) echo "got $x $REPLY";; esac; done <<< $'1\n9\n2\n3' 2>/dev/null

### read 1
printf 'a:1\nb:2\nc\n' > f; while IFS=: read -r k v; do echo "k=$k v=${v:-none}"; done < f; while read -r line || [ -n "$line" ]; do echo "[$line]"; done < <(printf 'x\ny'); n=0; while read -r _; do ((n++)); done < f; echo $n; cat f | while read l; do n=99; done; echo $n; exec 3<f; read -u 3 a; read b <&3; exec 3<&-; echo "$a $b"; read -r -d '' all < f; echo "$all"; IFS= read -r -n 3 x <<< abcdef; echo $x

### read 2
echo "a b  c " | { read x y; echo "[$x][$y]"; }; echo '  lead trail  ' | { IFS= read -r l; echo "[$l]"; }; echo 'a\tb\\c' | { read x; echo "$x"; }; echo 'a\tb' | { read -r x; echo "$x"; }; printf 'a\\\nb\n' | { read x; echo "$x"; }; read -a arr <<< "1 2 3"; echo "${arr[@]}" ${#arr[@]}; read x y < /dev/null; echo $? "[$x]"; echo "p q" | { read; echo "[$REPLY]"; }; IFS=: read a b c <<< "1::3"; echo "[$a][$b][$c]"; IFS=': ' read a b c <<< "1 : 2:3"; echo "[$a][$b][$c]"

### redirections 1
echo out > f; echo more >> f; cat < f; { echo a; echo b >&2; } > o 2> e; cat o e; { echo a; echo b >&2; } &> both; sort both; ls nonexist 2>/dev/null || echo failed $?; echo x 1>&2 2>/dev/null; exec 4> log; echo l1 >&4; echo l2 >&4; exec 4>&-; cat log; : > f; [ -s f ] || echo emptied; echo new >| f; set -C; echo no > f || echo clobber; set +C; cat f; exec {fd}> dyn; echo d >&$fd; exec {fd}>&-; cat dyn

### redirections 2
f() { echo o; echo e >&2; }; f 3>&1 1>&2 2>&3 | sed 's/^/p:/'; (echo a; echo b) | { read x; cat; }; cat <<< x > y; cat y; for i in 1 2 3; do echo $i; done > loop; wc -l < loop; if true; then echo t; fi > iff; cat iff; while read x; do echo $x; done < loop | tail -1; echo a > nodir/f; echo "st $?"; cat < nofile; echo "st $?"; > touched; ls touched

### globs 1
touch a.txt b.txt 'c d.txt' .hid; mkdir sub; touch sub/x.txt; echo *.txt; for f in *.txt; do echo "[$f]"; done; echo *.none; echo "*.txt"; echo [ab].txt; echo ?.txt; echo */; echo sub/*; shopt -s nullglob; echo *.none end; shopt -u nullglob; shopt -s dotglob; echo *; shopt -u dotglob; x='*.txt'; echo $x "$x"; set -f; echo *; set +f; a=(*.txt); echo ${#a[@]}; shopt -s globstar; echo **/*.txt; echo {a,b}.txt {1..5} {a..e..2} {01..03} x{,y}z; echo ~/x ~ "~"

### pipelines 1
seq 10 | grep -v 5 | head -3 | tail -1; echo "a b c" | awk '{print $2}'; printf '%s\n' b a c | sort | uniq -c | awk '{print $2":"$1}'; seq 5 | paste -sd+ | bc; yes | head -2; echo abc | tee x | rev; cat x; echo "x y" | cut -d' ' -f2; seq 3 | xargs -n1 echo n; seq 3 | while read n; do echo $((n*n)); done | paste -sd, ; true | false; echo $?; time_it() { :; }; { seq 3; seq 2; } | sort -n | uniq

### tests 1
[ a = a ] && echo 1; [ a != b -a 1 -lt 2 ] && echo 2; [ -z "" ] && echo 3; [ -n x ] && echo 4; [ ! -e nofile ] && echo 5; test 1 -eq 01 && echo 6; [[ 1 -eq 01 ]] && echo 7; [[ abc < abd ]] && echo 8; [[ -z $unset ]] && echo 9; [ "$unset" = "" ] && echo 10; [ $unset = "" ]; echo $?; [[ a == b || c == c && d == d ]] && echo 11; [ 1 -gt a ]; echo $?; [[ a && ! b ]]; echo $?; [ \( a = a \) ] && echo 12; [[ "x y" == x\ * ]] && echo 13; v="a b"; [[ $v == "a b" ]] && echo 14; [ -v HOME ] && echo 15; [[ $- == *i* ]] || echo 16

### eval and source 1
cmd='echo "a b" $((1+1))'; eval $cmd; eval "$cmd"; a='x=5; echo $x'; eval "$a"; $nothing echo hi; c="echo -n"; $c hi; echo; c=(printf '%s-' a "b c"); "${c[@]}"; echo; eval 'for i in 1 2; do echo $i; done'; eval "f() { echo dyn; }"; f; eval 'echo "${x}"'; eval "echo \$x"; : ${foo:=bar}; echo $foo; command echo c; builtin echo b; \echo e; type echo; type f | head -2; command -v f; hash; alias ll='ls -l'; alias; unalias ll; . <(echo 'echo sourced; s=1'); echo $s

### errors 4
echo a; if then; fi; echo b

### errors 6
echo "unclosed
echo b

### errors 7
f() { echo a; }
f() { echo redefined; }
f
for i in; do echo never; done
echo "empty ok"
while :; do break; done
if :; then :; fi
until [ 1 ]; do :; done
[[ 1 ]] ; echo $?
((1>2)) || echo no
! true; echo $?
: ; echo $?
{ :; } ; ( : )

### word splitting 1
IFS=$'\n'; for l in $(printf 'a b\nc d\n'); do echo "<$l>"; done; unset IFS; x=$(printf 'a b\nc d\n'); for l in $x; do echo "($l)"; done; printf '%s\n' $x; echo $x; echo "$x"; list="a,b,,c"; IFS=,; for i in $list; do echo "[$i]"; done; set -- $list; echo $#; IFS=; for i in $x; do echo "{$i}"; done; unset IFS; p=" a  b "; set -- $p; echo "$#:$1:$2"; set -- "$p"; echo "$#:$1"; e=; set -- $e "$e"; echo $#; IFS=x; v=axbxc; echo $v; echo "$v"
