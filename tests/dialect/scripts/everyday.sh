### names in FUNCNAME
f() { echo "${FUNCNAME[@]}" "${FUNCNAME[1]}" ${#FUNCNAME[@]}; }; f; g() { f; }; g

### brace ranges
for i in {a..c}{1..2}; do echo -n "$i "; done; echo {1..10..3} {10..1..4} {z..w} a{,1}b {{a,b},c} \{a,b\} "{a,b}"{c,d} ${HOME}{/x,/y} {1..2}{a..b} {a..b..} {-2..2} {0..010..5}

### slices
x=abcdef; echo "${x:2}" "${x:2:2}" "${x: -2}" "${x:$((1+1)):1}" "${x:0:0}" "${x:10}" "${x:1:-1}"; set -- a b c d; echo "${@:2}" "${@:2:2}" "${@:0:2}" "${*: -2:1}"; a=(0 1 2 3); echo "${a[@]:1}" "${a[@]: -2:1}" "${a[*]:0:2}" "${#a[2]}" "${a:0:1}"; n=2; echo ${x:n} ${x:n:n+1}

### keys of associative arrays
declare -A h=([x]=1 [y]=2); for k in x y z; do if [[ -n ${h[$k]+s} ]]; then echo "$k set"; else echo "$k no"; fi; done; unset h; declare -A h; echo ${#h[@]}; h=([a b]="c d" ["q'r"]='s"t'); for k in "${!h[@]}"; do printf '%s=%s\n' "$k" "${h[$k]}"; done | sort; k='a b'; echo "${h[$k]}" "${h["a b"]}" "${h['a b']}"; h[$k]+=more; echo "${h[a b]}"; declare -A copy; for k in "${!h[@]}"; do copy[$k]=${h[$k]}; done; echo ${#copy[@]}

### logging and retries
log() { local level=$1; shift; printf '[%s] %s\n' "$level" "$*" >&2; }; log INFO hello "w  x" 2>&1; retry() { local n=0 max=$1; shift; until "$@"; do ((++n >= max)) && { echo "gave up after $n"; return 1; }; done; }; c=0; flaky() { ((++c > 2)); }; retry 5 flaky && echo "ok c=$c"; retry 2 false; echo $?

### reading a configuration
cat > cfg <<'E'
# comment
key1=value1
key2 = spaced value 

[section]
key3="quoted"
E
while IFS='=' read -r k v; do [[ $k =~ ^[[:space:]]*(#|$|\[) ]] && continue; k=${k//[[:space:]]/}; v="${v#"${v%%[![:space:]]*}"}"; v="${v%"${v##*[![:space:]]}"}"; v=${v#\"}; v=${v%\"}; declare "cfg_$k=$v"; done < cfg; echo "$cfg_key1|$cfg_key2|$cfg_key3"; compgen -v cfg_

### usage and options
usage() { cat <<EOF
Usage: ${0##*/} [-h]
EOF
exit ${1:-0}; }; (usage 2); echo $?; main() { local verbose=false; [[ ${1:-} == -v ]] && { verbose=true; shift; }; $verbose && echo verbose; echo "args: $*"; }; main -v a b; main c

### regular expressions
[[ "2024-01-15" =~ ^([0-9]{4})-([0-9]{2})-([0-9]{2})$ ]] && echo "${BASH_REMATCH[1]}/${BASH_REMATCH[2]}"; re='^[a-z]+@[a-z]+\.com$'; for e in a@b.com bad x@y.org; do [[ $e =~ $re ]] && echo "ok $e" || echo "bad $e"; done; s="k1=v1;k2=v2"; while [[ $s =~ ([a-z0-9]+)=([a-z0-9]+)\;?(.*) ]]; do echo "${BASH_REMATCH[1]} -> ${BASH_REMATCH[2]}"; s=${BASH_REMATCH[3]}; done; [[ "a.b" =~ a\.b ]] && echo esc; [[ axb =~ "a.b" ]] || echo lit; [[ $'a\nb' =~ a.b ]] && echo nl; [[ foo =~ (x)?foo ]]; echo "[${BASH_REMATCH[1]}]" ${#BASH_REMATCH[@]}

### positional parameters
set -- "$@" one "two words" three; for a; do echo "<$a>"; done; for a in "$@"; do shift; echo "$# left"; done; set -- -n x; echo "$1"; set -- a b; set -- "$@" c; echo $#; args=(--opt "v 1"); cmd() { printf '%s|' "$@"; echo; }; cmd "${args[@]}" end; [ $# -eq 3 ] && echo three; echo "${@:$#}" "${!#}" "${@:(-1)}"

### nested loops
i=5; while [ $i -gt 0 ]; do i=$((i-1)); [ $i -eq 3 ] && continue; [ $i -eq 1 ] && break; echo $i; done; for x in 1 2 3; do for y in a b c; do [ $y = b ] && continue 2; [ $x = 3 ] && break 2; echo $x$y; done; done; seq 3 | while read n; do [ $n = 2 ] && break; echo n$n; done; until [ ${j:=0} -ge 2 ]; do echo j$j; j=$((j+1)); done

### a CSV file
printf '%s\n' "name,age" "bob,30" "al,25" > d.csv; { read -r header; while IFS=, read -r n a; do echo "$n is $a"; done; } < d.csv; tail -n +2 d.csv | sort -t, -k2 -n | cut -d, -f1; awk -F, 'NR>1{s+=$2} END{print s/(NR-1)}' d.csv; IFS=, read -ra cols < d.csv; echo "${cols[1]}"; sed -n '2p' d.csv; total=0; while IFS=, read -r _ a; do [[ $a =~ ^[0-9]+$ ]] && ((total+=a)); done < d.csv; echo $total

### descriptors swapped
exec 5>&1; r=$(echo captured; echo direct >&5); echo "r=$r"; exec 5>&-; { err=$( { echo out; echo err >&2; } 2>&1 1>&3 ); } 3>&1; echo "err=$err"; out=$(cat nofile 2>&1) || echo "rc=$? $out"; exec 6<<< "line"; read -u6 l; echo $l; exec 3<>rw; echo hello >&3; exec 3>&-; cat rw; echo a >&9; echo $?

### files found and read
tmpd=$(mktemp -d); cd "$tmpd"; mkdir -p a/b; touch a/1.log a/b/2.log a/3.txt; find . -name '*.log' | sort | while read -r f; do echo "${f##*/}"; done; find . -type f -print0 | sort -z | while IFS= read -r -d '' f; do echo "[$f]"; done; for f in a/*.log a/*/*.log; do [ -e "$f" ] || continue; b=$(basename "$f" .log); d=$(dirname "$f"); echo "$d $b"; done; mapfile -t fs < <(find a -name '*.txt'); echo ${#fs[@]}; cd - >/dev/null; rm -rf "$tmpd"; [ -d "$tmpd" ] || echo gone

### where assignments last
a=1; { a=2; echo $a; }; (a=3); echo $a; f() { a=4; }; f | :; echo $a; f; echo $a; x=$(a=5; echo $a); echo $x $a; echo 9 | read a; echo $a; shopt -s lastpipe; echo 9 | read a; echo $a; a=7 eval 'echo $a'; echo $a; a=8 f; echo $a; a=9 :; echo $a; export a; a=10 bash -c 'echo $a'

### escapes
echo $'a\tb\x41\u00e9\101\e[0m' | od -c | head -2; echo -e 'a\tb\\n\x41\0101\c no'; echo; echo -n; echo -E 'a\tb'; echo -nE x; echo; echo -- -n; echo -ne '1\n2\n'; echo "a\tb"; printf 'x\ty\n'; printf "%s\n" "-n"; echo -x; printf -- '-%s\n' a; echo "${x@E}"; y='a\tb'; echo "${y@E}" "${y@Q}" "${y@U}" "${y@u}" "${y@A}" "${y@a}"

### declare -p
declare -p HOME | head -1; export FOO=bar; declare -x | grep FOO; export -p | grep FOO; env | grep ^FOO; readonly RO=1; declare -p RO; unset FOO; echo ${FOO-gone}; declare -i num=5; declare -p num; declare -a arr=(1 "2 3"); declare -p arr; declare -A map=([k]=v); declare -p map; f() { declare l=1; declare -p l; }; f; declare -n ref=num; declare -p ref; echo $ref; typeset -x T=1; declare -p T; declare nothing; declare -p nothing; declare -p nope; echo $?

### locks and small tools
wait_for() { local n=0; while ! "$@"; do ((n++ < 3)) || return 1; done; }; wait_for test -e nofile || echo timeout; lock() { mkdir "$1" 2>/dev/null; }; lock l && echo locked; lock l || echo busy; rmdir l; (umask 077; touch s; stat -c %a s); umask; date -d @0 -u +%Y-%m-%d; start=$SECONDS; echo $((SECONDS-start)); [ $RANDOM -ge 0 ] && echo rnd; echo ${#RANDOM} >/dev/null; echo $LINENO; basename /a/b.c .c; dirname /a/b; realpath . >/dev/null && echo rp; printf '%s\n' {1..3} | tac | tr '\n' ' '; echo

### words in quotes and without
x="a b c"; for w in $x; do echo -n "[$w]"; done; echo; for w in "$x"; do echo -n "[$w]"; done; echo; y=($x); echo ${#y[@]}; z="*"; echo "$z" | cat; set -- $x; echo "$2"; v="  pad  "; echo $v "$v"; echo ${v// /}; cmd="ls nofile"; $cmd 2>/dev/null || echo failed; path="/x y/z"; [ "$path" = "/x y/z" ] && echo eq; n=; [ -z $n ] && echo empty; [ -n "$n" ] || echo stillempty

### elements as words
q() { printf '<%s>' "$@"; echo; }; a=("x y" "" z); q "${a[@]}"; q ${a[@]}; q "${a[*]}"; q ${a[*]}; q pre"${a[@]}"post; q "$@"; set --; q "$@" end; q "${b[@]}"; q $nope "$nope"; q "${a[@]:+alt}" "${b[@]:-def}"; q "${a[@]/#/p-}"; q "${a[@]/%/-s}"; q ${a[@]+"${a[@]}"}; IFS=; q ${a[@]}; q $(echo "m n"); unset IFS; q "${!a[@]}" ; q "${#a[@]}"

### compound commands in pipelines
v=1; case $v in 1) echo one ;; esac | cat; if [[ $v -eq 1 ]]; then echo y; else echo n; fi | tr y Y; while read l; do echo "> $l"; done <<< "$(seq 2)"; for i in 1 2; do echo $i; done | (read a; read b; echo "$b$a"); { echo x; echo y; } | sort -r; (echo s; exit 2) || echo "rc $?"; ! (exit 1) && echo neg; f() { return $1; }; f 0 && f 1 || f 2; echo $?; true && { false || echo chain; }

### sorting in the shell
set -- 3 1 2; sorted=$(printf '%s\n' "$@" | sort -n | xargs); echo "$sorted"; arr=(5 3 9 1); max=${arr[0]}; for n in "${arr[@]}"; do ((n>max)) && max=$n; done; echo max $max; n=${#arr[@]}; for ((i=0;i<n;i++)); do for ((j=0;j<n-i-1;j++)); do if ((arr[j]>arr[j+1])); then t=${arr[j]}; arr[j]=${arr[j+1]}; arr[j+1]=$t; fi; done; done; echo "${arr[@]}"; contains() { local e m=$1; shift; for e; do [[ $e == "$m" ]] && return 0; done; return 1; }; contains 9 "${arr[@]}" && echo has; [[ " ${arr[*]} " == *" 3 "* ]] && echo has3; u=($(printf '%s\n' a b a | sort -u)); echo ${#u[@]}; matrix[0]="1 2"; declare -A m; m[0,1]=x; m[1,0]=y; echo "${m[0,1]}${m[1,0]}"

### numbers and characters
to_hex() { printf '%x' "$1"; }; from_hex() { echo $((16#$1)); }; to_hex 255; echo; from_hex ff; bin() { local n=$1 o=; while ((n)); do o=$((n&1))$o; ((n>>=1)); done; echo ${o:-0}; }; bin 10; ord() { printf '%d\n' "'$1"; }; ord A; chr() { printf "\\$(printf '%03o' "$1")\n"; }; chr 66; printf '%s' abc | od -An -tx1; echo -n hello | md5sum | cut -c1-8; rot() { tr A-Za-z N-ZA-Mn-za-m; }; echo Hello | rot; echo $((2**62)) $((-1>>1)) $((5-3*2)) $(( (5-3)*2 )); printf '%.3f\n' "$(echo 'scale=5;10/3' | bc)"; awk 'BEGIN{printf "%.2f\n", 1/3}'
