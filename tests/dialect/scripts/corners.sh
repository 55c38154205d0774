### subscripts
echo ${a[$((1+1))]:-x} ; a[1+1]=z; echo "${a[2]}" "${a[ 2 ]}"; i=2; echo "${a[i]}" "${a[$i]}" "${a[i-0]}"; a["2"]=q; echo ${a[2]}; declare -A m; m["a b"]=1; m[a\ b]+=2; k="a b"; echo ${m[$k]} ${m["$k"]}; m[$k]=3; echo "${m[a b]}"; unset "m[$k]"; echo ${#m[@]}; m['$x']=lit; x='$x'; echo "${m[$x]}" ; unset 'm[$x]'; echo ${#m[@]}

### heredocs everywhere
cat <<EOF && echo after
body
EOF
cat <<EOF || echo no
b2
EOF
if cat <<EOF
cond
EOF
then echo then; fi
for x in 1; do cat <<EOF; done
in loop $x
EOF
f() { cat <<EOF
in func $1
EOF
}; f arg; (cat <<EOF
sub
EOF
) ; { cat; } <<EOF
grp
EOF
cat <<EOF > o; cat o
to o
EOF

### heredocs in substitutions
x=$(cat <<'EOF'
a 'quoted' "text" $(not run) `nor this` \n
EOF
)
echo "$x"
y="$(cat <<EOF
nested "quotes" $(echo "in $(echo deep)")
EOF
)"; echo "$y"

### conditions
x=5; [[ $x -gt 3 && $x -lt 10 ]] && echo mid; [[ $x == [0-9] ]] && echo digit; [[ ! $x == 6 ]] && echo not6; [[ ( $x == 5 ) ]] && echo paren; [[ -n $x && ( -z $y || $y == z ) ]] && echo complex; [[ $x = 5 ]] && echo single; [[ x$x == x5 ]] && echo pre; [[ "$x" -eq "5" ]]; echo $?; [[ a < b ]]; echo $?; [[ 10 < 9 ]]; echo $?; [[ $HOME/ == /* ]]; echo $?; p='a*'; [[ abc == $p ]]; echo $?; [[ abc == "$p" ]]; echo $?; [[ abc != x* ]]; echo $?; [[ -f /etc/passwd && -r /etc/passwd ]]; echo $?; [[ nonexist -nt /etc/passwd ]]; echo $?; [[ $(echo a b) == "a b" ]]; echo $?; [[ -v x && -v nope ]]; echo $?; [[ x ]] && [[ ! "" ]] && echo str; [[ $x -eq 5 ]] && [ "$x" -eq 5 ] && ((x == 5)) && echo all

### aliases
f() { echo "f($*)"; }; alias g=f; g 1 2>/dev/null || echo noalias; shopt -s expand_aliases
alias g='f aliased'
g 2
alias; unalias g; g 2>/dev/null || echo gone; \f 3; command f 4 2>/dev/null || echo nocmd; unset -f f; f 2>/dev/null; echo $?

### quotes
echo "a"'b'c"d e"$'\x66'; echo "it's" 'say "hi"' "say \"hi\"" 'it'\''s'; echo a\ b \$HOME \\ \"; echo "tab	here" "new
line"; echo $'multi\nline'; echo "$(echo "nested "quotes"")"; echo "\$x \` \\ \a"; echo '\n' "\n"; echo {a,"b c",'d'}; echo "*" '*' \*; echo --opt="val ue" k=v; echo a=~ ; x=~; [ "$x" = ~ ] && echo tilde; echo "~" '~' \~ a~; y=a:~/b; echo ${y#a:}; echo ~+ >/dev/null; PATH=$PATH:~/bin; echo ${PATH##*:}; echo \
joined; echo "a\
b"; echo 'a\
b'; # comment
echo a#b '#c' "#d" # e

### loops
for ((;;)); do ((++n > 3)) && break; done; echo $n; for i; do echo no; done; for i in "a b" c\ d 'e'; do echo "[$i]"; done; for i in $(seq 2) x{1,2}; do echo -n "$i "; done; echo; for f in /etc/hostnam[e] /nonexist/*; do echo "$f"; done; while :; do break; done; until false; do break; done; for i in 1 2 3; do if ((i == 2)); then continue; fi; echo $i; done | cat; i=0; while true; do ((i++)); ((i > 2)) && break; done; echo $i; for x in a b; do for y in 1 2; do echo -n $x$y; done; done; echo; select s in a; do break; done <<< 1 2>/dev/null; echo $s; echo "last $i"

### attributes
declare -a arr=("x y" z); declare -A map=([k1]="v 1" [k2]=v2); declare -i int=3+4; declare -r ro=c; declare -x ex=e; declare -l low=ABC; declare -u up=abc; declare -n nr=int; for v in arr map int ro ex low up nr; do declare -p $v; done; echo ${arr@a} ${map@a} ${int@a} ${ro@a}; f() { local -a a=(1); local -p; }; f; unset arr map; declare -p arr 2>/dev/null || echo unset; readonly -p | grep -c 'ro=' ; export -n ex; declare -p ex; declare +i int; int+=1; echo $int; typeset -i t=5; t=t+1; echo $t; declare e1=1 e2=2; echo $e1$e2; declare -a empty=(); declare -p empty; declare -A em; declare -p em; x=1 declare y=2; echo $x $y

### arithmetic
i=1; echo $((i++ + ++i)) $i; echo $((i+=2, i*2)); echo $(( 1 ? 2 : 3 )); echo $((2**3**2)); echo $(( -2 ** 2 )); echo $((1 - - 1)); echo $((!5)) $((~0)); echo $((5 & 3 | 4 ^ 1)); echo $((7 >> 1 << 2)); echo $((1 < 2 == 1)); echo $((10 % 3 * 2)); echo $((0 || 1 && 0)); x=; echo $((x + 1)); unset x; echo $((x)); x=abc; abc=7; echo $((x)); echo $((0x10 + 010 + 2#10 + 16#ff)); echo $(($(echo 3) + `echo 4`)); echo $((a[0]=5)) ${a[0]}; echo $(( (1+2) * (3+4) )); n=10; echo $((n /= 3)) $n; echo $((n <<= 2)); echo "$((1+1))$((2+2))"; ((x = 1, y = 2)); echo $x$y; echo $[1+2]; let a=1+1; echo $a; let 'b = 2 * 3' c=b+1; echo $b $c; ((z)) || echo zero; echo $((++i)) $((--i)) $((i--)) $i

### formats
printf '%s\n' a b | { mapfile -t x; echo "${#x[@]}"; }; printf '%3d|%-3d|%03d|%+d\n' 5 5 5 5; printf '%.3s|%10.2s|\n' abcdef xyz; printf '%x %X %#x %o\n' 255 255 255 8; printf '%e %g %f\n' 1234.5 0.0001 2.5; printf '%c%c\n' hello world; printf '%%|%5s|%-5s|\n' a b; printf '%b' 'x\ny\n'; printf '%q ' 'a b' "c'd" '$e' ''; echo; printf '%s %d\n' only; printf '%d\n' 0x1f 017 "'a"; printf "%s\n" "${nope[@]}"; printf -v out '%s-' a b c; echo "$out"; printf '%*s|%-*s|\n' 5 a 5 b; printf '\x41\u0042\103\n'; printf '%(%s)T\n' 100; printf 'no newline'; echo; printf '%s=%s\n' k1 v1 k2 v2; printf '%d items\n' "${#x[@]}"; printf '%5.1f|%-8s|%08.3f\n' 3.14159 ab 2.5; printf '%s' "a" "b"; echo; printf '%i\n' 42abc 2>/dev/null; echo $?; printf '%u\n' -1

### IFS
IFS=,; x="a,b,,c,"; for i in $x; do echo "[$i]"; done; set -- $x; echo $#; IFS=' ,'; y="a , b,c"; set -- $y; echo $#; unset IFS; z="  a  b  "; set -- $z; echo "$#" "$1"; IFS=; set -- $z; echo "$#:$1"; IFS=:; p="a:b"; echo $p "$p"; echo "$*"; a=($p); echo ${#a[@]}; IFS=$' \t\n'; read -r a b <<< "  x   y z  "; echo "[$a][$b]"; IFS=: read -ra parts <<< "$PATH"; echo $((${#parts[@]} > 0)); while IFS='|' read -r a b c; do echo "$c$b$a"; done <<< $'1|2|3\n4|5|6'; IFS=$'\n' read -rd '' -a ls <<< $'l 1\nl 2'; echo "${#ls[@]}"; s="a;b"; IFS=';' eval 'set -- $s'; echo $#; oldIFS=$IFS; IFS=-; q="1-2"; echo $q; IFS=$oldIFS; echo ${q//-/ }

### traps of functions and subshells
trap 'echo "cleanup"' EXIT
trap 'echo "interrupted"; exit 130' INT TERM
f() { trap 'echo "f return"' RETURN; echo in f; }
f
f2() { echo f2; }; f2
(trap - EXIT; echo sub)
( exit 2 ); echo "rc $?"
bash -c 'trap "echo inner exit" EXIT; exit 3'; echo "inner rc $?"
x=$(trap 'echo subexit' EXIT; echo val); echo "$x"
kill -TERM $$
echo not reached

### assertions
err() { echo "$*" >&2; }; assert() { if ! eval "$1"; then echo "assertion failed: $1"; return 1; fi; }; assert '[ 1 -eq 1 ]' && echo pass; assert '[ 1 -eq 2 ]' || echo "caught $?"; try() { ( set -e; "$@" ); local rc=$?; ((rc)) && echo "failed rc=$rc"; return 0; }; bad() { echo start; false; echo end; }; try bad; good() { echo fine; }; try good; set +e; output=$(bad 2>&1); echo "$output rc=$?"; bad || echo nope; if ! bad; then echo inverted; fi; { bad; } && echo block; retry=0; until [ $retry -ge 3 ]; do retry=$((retry+1)); [ $retry -eq 2 ] && { echo "succeeded on $retry"; break; }; done; : "${UNSET:=default}"; echo $UNSET; [ -z "${FOO:-}" ] && FOO=set; echo $FOO; cmd_exists() { command -v "$1" &>/dev/null; }; cmd_exists ls && echo yes; cmd_exists nope_x || echo no

### arrays as sets
arr=(5 3 8 1); sorted=($(for i in "${arr[@]}"; do echo $i; done | sort -n)); echo "${sorted[*]}"; min=${sorted[0]} max=${sorted[-1]}; echo $min $max; sum=$(IFS=+; echo "$((${arr[*]}))"); echo $sum; rev=(); for x in "${arr[@]}"; do rev=("$x" "${rev[@]}"); done; echo "${rev[@]}"; filtered=(); for x in "${arr[@]}"; do ((x > 2)) && filtered+=($x); done; echo "${filtered[@]}"; mapped=("${arr[@]/#/n}"); echo "${mapped[@]}"; echo "${arr[@]: -2}" "${arr[@]:1:2}"; idx() { local i; for i in "${!arr[@]}"; do [[ ${arr[i]} == "$1" ]] && { echo $i; return; }; done; echo -1; }; idx 8; idx 99; IFS=$'\n'; echo "${arr[*]}" | head -2; unset IFS; printf '%s\n' "${arr[@]}" | awk '{s+=$1} END {print s/NR}'; declare -A inv; for i in "${!arr[@]}"; do inv[${arr[i]}]=$i; done; echo ${inv[8]}; uniq=($(printf '%s\n' a b a c b | awk '!s[$0]++')); echo "${uniq[@]}"; a2=("${arr[@]}"); a2[0]=x; echo ${arr[0]} ${a2[0]}; unset 'arr[-1]'; echo ${arr[@]}; arr=("${arr[@]:0:1}" new "${arr[@]:1}"); echo ${arr[@]}; [[ ${#arr[@]} -eq 4 ]] && echo four

### changes of text
x="hello world"; echo ${x:6} ${x:0:5} ${x#hello } ${x%world} ${x/o/0} ${x//o/0} ${x^} ${x^^} ${x@U}; echo "${x: -5:3}" "${x:(-5)}"; echo ${#x}; echo ${x//[lo]/_} ${x/#he/HE} ${x/%ld/LD} ${x//l}; y=${x// /_}; echo $y ${y//_/ }; echo "${x/world/"big world"}" "${x/o*/X}" "${x%%o*}" "${x#*o}" "${x##*o}"; z=aXbXc; echo "${z//X/ - }" "${z%%X*}" "${z##*X}" "${z%X*}"; e=; echo "${e:-empty}${e:+no}"; p=/a/b/c.d.e; echo ${p##*/} ${p%/*} ${p##*.} ${p%%.*}; f="file.txt"; echo "${f%.*}.bak"; echo "${x^^[hw]}" "${x~}" "${x~~}" 2>/dev/null; t="a/b"; echo "${t/\//-}" "${t//\//::}"; u='$HOME'; echo "$u" "${u//\$/S}"; q="it's"; echo "${q//\'/Q}" "${q/\'/\"}"; v="a  b"; echo ${v/  / }; nl=$'l1\nl2'; echo "${nl//$'\n'/|}"; echo "${nl%%$'\n'*}"; b='back\slash'; echo "${b//\\//}" "${b//\\/\\\\}"

### what a check would refuse fails where it runs
echo first; getopts; echo $?; [[ x =~ [ ]] 2>/dev/null; echo "invalid expression $?"
if false; then history; ls --no-such-option; fi; echo last

### the DEBUG trap in functions
f() { echo "f $1"; g; }
g() { echo g; return 0; }
set -T; trap 'echo "$LINENO $BASH_COMMAND"' DEBUG
f 1
trap - DEBUG
### a heredoc that the end of the text ends
echo one; cat <<END; cat <<'LAST'
two
### heredocs whose end closes a substitution, too
x=$(cat <<END
one
END)
y="$(cat <<-'END'
	two)
	END )"
echo "$x/$y"
### what names refer to all elements
a=(1 '2 3'); declare -n r='a[@]' s='a[*]'; IFS=,
printf '<%s>' "$r"; printf '(%s)' $r; printf '[%s]' "$s"; x=$r; echo "$x"
declare -A h=([k]=v); declare -n t='h[@]'; for one in "$t"; do echo "$one"; done
r=5; echo never
### an element is no list
a[0]=(1 2); echo never
echo "${#a[@]}"
declare -A h; h[k]+=(1); echo never
echo "${#h[@]}"
### a tilde in an array with keys
HOME=/h; declare -A h=([a]=~ [b]=~/x:~ [c]="$HOME"~ [d]=$HOME); declare -p h
a=([0]=~ [2]=~/x); declare -p a; h+=([a]=~/y); echo "${h[a]}"; h[z]=~; echo "${h[z]}"
### slices of associative arrays count from one
declare -A h=([x]=1 [y]=2 [z]=3)
for offset in 0 1 2 3 4 -1 -2 -3 -4 -5; do
    echo "$offset" "${h[@]:offset}" / "${h[@]:offset:1}" / "${h[@]:offset:0}" / "${h[*]:offset:2}"
done
### a subshell forgets the jobs
sleep 5 & (jobs); (jobs | cat); f() (jobs); f; (wait %1) 2>/dev/null; echo $?; (kill %1) 2>/dev/null; echo $?
jobs | cat; echo "$(jobs)"; (sleep 0.1 & wait %1 2>/dev/null; wait; jobs); kill %1; wait
### process substitutions in a test
[[ a =~ <(:) ]]; echo $?; [[ a == <(:) ]]; echo $?; [[ /d =~ x<(:) ]]; echo $?
### lines that are printed before they run
exec 2>&1
echo 'echo in a file
echo more' > lib.sh
set -v
# a comment
echo a; echo b

f() {
    echo f
}
f | cat; (echo one
echo two)
. ./lib.sh
cat <<END
text
END
eval 'echo evaluated
echo twice'
set +v
echo end
### kinds of completions
cd "$(mktemp -d)"; zzf() { :; }; zzv=1; touch zzfile; mkdir zzdir; alias zza=x; zzx=(1)
compgen -A file -A variable -A directory -A function -A alias -A arrayvar zz
compgen -d -W 'zz1 zz2' -v -P '<' -S '>' -X 'zz?' zz
### lines of evaluated texts
eval 'echo $LINENO'
eval 'echo $LINENO
eval "echo \$LINENO"'
f() { eval 'g() { echo $LINENO; }'
eval "echo $LINENO \$LINENO"; }
f; g
trap 'echo "ERR $LINENO"' ERR
eval false
