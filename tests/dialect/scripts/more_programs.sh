### a queue of jobs
#!/bin/bash
set -uo pipefail
declare -ri MAX=3
declare -a QUEUE=()
declare -A DONE=()
worker() { local id=$1; printf 'job %s done\n' "$id"; return $(( id % 3 == 0 )); }
for ((n = 1; n <= MAX + 1; ++n)); do QUEUE+=("$n"); done
while ((${#QUEUE[@]})); do job=${QUEUE[0]}; QUEUE=("${QUEUE[@]:1}"); if worker "$job"; then DONE[$job]=ok; else DONE[$job]="failed($?)"; fi; done
for id in $(printf '%s\n' "${!DONE[@]}" | sort -n); do echo "$id => ${DONE[$id]}"; done
MAX=5
echo "not reached? $?"

### a table
table=$'name|qty|price\napple|3|1.20\npear|10|0.55'
{ read -r hdr; echo "HDR: ${hdr//|/, }"; tot=0; while IFS='|' read -r n q p; do line=$(awk -v q="$q" -v p="$p" 'BEGIN{printf "%.2f", q*p}'); printf '%-8s %3d x %5.2f = %6s\n' "$n" "$q" "$p" "$line"; tot=$(echo "$tot + $line" | bc); done; echo "total $tot"; } <<< "$table"

### small functions
indent() { sed 's/^/    /'; }; { echo a; echo b; } | indent; join() { local d=$1 f=$2; shift 2; printf %s "$f" "${@/#/$d}"; echo; }; join ', ' a b c; max() { printf '%s\n' "$@" | sort -n | tail -1; }; max 3 10 2; in_list() { local x=$1; shift; for i; do [ "$x" = "$i" ] && return; done; return 1; }; in_list b a b c && echo in; in_list z a b || echo out; rand() { echo $(( RANDOM % $1 )); }; r=$(rand 5); ((r >= 0 && r < 5)) && echo ok; slug() { echo "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9]\+/-/g' -e 's/^-//;s/-$//'; }; slug "Hello, World! 2024"; pad() { printf "%0${2}d\n" "$1"; }; pad 7 3; bytes() { local b=$1 u=(B K M G) i=0; while ((b >= 1024 && i < 3)); do ((b /= 1024, i++)); done; echo "$b${u[i]}"; }; bytes 5000000; secs() { printf '%02d:%02d:%02d\n' $(($1/3600)) $(($1%3600/60)) $(($1%60)); }; secs 3725

### statuses
echo "start"; { echo "in group"; exit 3; } | cat; echo "after pipe exit: ${PIPESTATUS[0]}"; (exit 4); echo $?; f() { exit 5; }; (f); echo $?; $(exit 6); echo $?; x=$(exit 7); echo $?; eval 'exit_code=8; (exit $exit_code)'; echo $?; bash -c 'exit 9'; echo $?; ! (exit 10); echo $?; true | (exit 11); echo $?; if (exit 12); then :; else echo "else $?"; fi; while (exit 13); do :; done; echo $?; case x in x) (exit 14);; esac; echo $?; { (exit 15); }; echo $?; for i in 1; do (exit 16); done; echo $?; exit 300

### files
echo one >f1; echo two >f2; cat f1 f2 >f3; wc -l <f3; sort -r f3 -o f3; cat f3; { cat f1; cat f2; } >>f3; wc -l f3; while read -r a <&3 && read -r b <&4; do echo "$a-$b"; done 3<f1 4<f2; exec 5<f3; while read -ru5 l; do echo "5:$l"; done; exec 5<&-; cat f1 - f2 <<<mid; tee f4 f5 <<<tee >/dev/null; cat f4 f5; cp f1 f6 && mv f6 f7 && [ -f f7 ] && [ ! -f f6 ] && echo moved; ln -s f1 lnk; [ -L lnk ] && readlink lnk; mkdir -p d/{a,b}/c; find d -type d | sort; rm -r d; ls d 2>/dev/null || echo nodir; (cd / && pwd); pwd | grep -q tmp && echo in tmp; touch "sp ace"; for f in *\ *; do echo "<$f>"; done; ls | wc -l; printf 'b\na\n' | sort | head -n1; [[ f1 -ef lnk ]] && echo same

### words read
s='a,b;c d'; IFS=',; ' read -ra p <<< "$s"; echo "${#p[@]}:${p[*]}"; while IFS= read -r -d ';' part || [[ $part ]]; do echo "part=$part"; done <<< "$s"; IFS=$'\t' read -r c1 c2 c3 <<< $'x\t\tz'; echo "[$c1][$c2][$c3]"; IFS=, read -r c1 c2 c3 <<< 'x,,z'; echo "[$c1][$c2][$c3]"; read -r -a arr -d '' < <(printf '1 2\n3\0'); echo "${#arr[@]}"; read -p 'prompt' x <<< in; echo $x; read -t 1 y < <(echo quick); echo $y; echo 'one\two' | { read a; read -r b; echo "$a|$b"; }; printf 'l1\nl2' | { while read -r l; do echo "$l"; done; echo "last=$l"; }; read -N 3 z <<< abcdef; echo $z; read -s q <<< hid; echo $q; echo a b c | { read -r x y; echo "$y"; }; unset REPLY; read <<< '  keep  '; echo "[$REPLY]"; read x y z <<< 'only'; echo "[$x][$y][$z]"

### loops left
for f in "$@" a.txt; do [ -e "$f" ] || { echo "skip $f"; continue; }; done; n=0; for ((;;)); do case $((n++)) in 0) continue;; 3) break;; esac; echo "n=$n"; done; i=10; while ((i-- > 7)); do [[ $i == 8 ]] && continue; echo $i; done; for w in one two; do for c in $(echo $w | grep -o .); do [[ $c == w ]] && continue 2; echo -n "$c"; done; echo; done; for i in {1..3}; do for j in {1..3}; do ((i*j == 4)) && break 2; echo -n "$((i*j)) "; done; done; echo; select_like() { local IFS; for x; do echo "${x}"; done; }; select_like p q; seq 1 5 | { s=0; while read -r k; do ((s+=k)); done; echo "sum $s"; }; until ((${z:=0} >= 2)); do echo "z=$z"; ((z++)); done; for x in; do echo never; done; echo "done $?"; for x in "" " "; do echo "[$x]"; done

### arguments
greet() { local name="${1:-World}" greeting="${2:-Hello}"; echo "$greeting, $name!"; }; greet; greet Bob; greet Bob Hi; greet '' Hey; opts() { local a= b=(); while [ $# -gt 0 ]; do case "$1" in -a) a=1 ;; -b) b+=("$2"); shift ;; -b*) b+=("${1#-b}") ;; --) shift; break ;; -?*) echo "bad: $1" ;; *) break ;; esac; shift; done; echo "a=${a:-0} b=(${b[*]}) rest=($*)"; }; opts -a -b x -by -z -- -q r; opts p -a; varargs() { echo "first=$1 last=${*: -1} all=$# mid=${*:2:$#-2}"; }; varargs 1 2 3 4; default_arr() { local -a arr=("${@:-none}"); echo "${arr[@]}"; }; default_arr; default_arr x y; ret_arr() { local -n out=$1; out=(r1 "r 2"); }; ret_arr res; echo "${#res[@]} ${res[1]}"; ret_str() { printf -v "$1" '%s!' "$2"; }; ret_str v wow; echo $v; rec() { local n=$1; ((n)) || { echo base; return; }; rec $((n-1)); echo $n; }; rec 2; comp() { [[ $1 > $2 ]] && echo gt || echo le; }; comp b a; comp a b; apply() { local f=$1; shift; "$f" "$@"; }; apply greet X; map() { local f=$1 x; shift; for x; do "$f" "$x"; done; }; sq() { echo $(($1*$1)); }; map sq 2 3

### scripts run scripts
cat > t.sh <<'E'
#!/usr/bin/env bash
main() { echo "args: $# $*"; [[ ${BASH_SOURCE[0]} == "$0" ]] && echo "direct"; }
if [[ "${BASH_SOURCE[0]}" == "${0}" ]]; then main "$@"; fi
E
bash t.sh a 'b c'; chmod +x t.sh; ./t.sh x; source ./t.sh y; main z; cat > lib.sh <<'E'
: "${LIB_LOADED:=0}"; LIB_LOADED=$((LIB_LOADED+1)); lib_fn() { echo "lib $LIB_LOADED"; }
E
. ./lib.sh; . ./lib.sh; lib_fn; echo 'echo "stdin script: $1"; exit 3' | bash -s arg; echo $?; bash -c 'echo "$0-$1"' zero one; bash <<'E'
x=5; echo "heredoc script $x"
E
export EXP=1; bash -c 'echo "EXP=$EXP"; EXP=2'; echo $EXP; VAR=tmp bash -c 'echo $VAR'; echo "${VAR-unset}"; env -i X=1 bash -c 'echo "$X ${HOME-nohome}"'; sh -c 'echo sh $1' _ a; exec_test() { (exec echo execd); echo back; }; exec_test; echo 'return 4' > r.sh; . ./r.sh; echo $?; bash -e -c 'false; echo no'; echo $?; bash -u -c 'echo ${q-ok}'; bash -x -c ':' 2>&1; bash -n -c 'if' 2>/dev/null; echo $?

### a whole script
set -euo pipefail
die() { echo "error: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null 2>&1 || die "missing $1"; }
need grep
tmpdir=$(mktemp -d)
trap 'rc=$?; rm -rf "$tmpdir"; exit $rc' EXIT
cfg="$tmpdir/app.conf"
cat > "$cfg" <<-CONF
	name = demo
	port=8080   # inline
	; old comment
	path = /opt/my app
CONF
declare -A conf
while IFS='=' read -r key value || [[ -n "$key" ]]; do
  key="${key//[[:space:]]/}"
  [[ -z "$key" || "$key" == \;* || "$key" == \#* ]] && continue
  value="${value%%#*}"; value="${value#"${value%%[![:space:]]*}"}"; value="${value%"${value##*[![:space:]]}"}"
  conf["$key"]="$value"
done < "$cfg"
for k in name port path; do printf '%s=[%s]\n' "$k" "${conf[$k]:-}"; done
[[ "${conf[port]}" =~ ^[0-9]+$ ]] || die "bad port"
(( conf[port] > 1024 )) && echo "unprivileged"
unset 'conf[port]'
[[ -v conf[port] ]] || echo "port gone"
die "final"

### quoted words
f() { echo "${@@Q}"; echo "${*@Q}"; local -a c=("$@"); echo "${c[@]@Q}"; echo "${c[*]@A}"; printf '%q ' "$@"; echo; }; f "a b" 'c"d' $'e\nf' '' '$x'; cmd=(printf '<%s>\n' "x y" z); "${cmd[@]}"; run() { echo "+ $*" ; "$@"; }; run echo hi "there you"; declare -p cmd; set -- "${cmd[@]}"; echo $#; eval "$(printf '%q ' "${cmd[@]}")"; s=$(declare -p cmd); unset cmd; eval "$s"; echo "${#cmd[@]}"; declare -A m=([x y]="1 2"); s=$(declare -p m); unset m; eval "$s"; echo "${m[x y]}"; fn() { echo "in fn $1"; }; s=$(declare -f fn); unset -f fn; eval "$s"; fn z; export -f fn; bash -c 'fn exported'

### arguments shifted
if [ $# -eq 0 ]; then set -- default; fi; echo "$1"; for arg; do case $arg in --*=*) k=${arg%%=*}; v=${arg#*=}; echo "${k#--}:$v";; -[a-z]) echo flag;; *) echo pos;; esac; done; set -- --a=1 -b c --d='x y'; for arg; do case $arg in --*=*) k=${arg%%=*}; v=${arg#*=}; echo "${k#--}:$v";; -[a-z]) echo flag;; *) echo pos;; esac; done; while [ "${1+x}" ]; do echo "$1"; shift; done; set -- a b c; echo "${@:1:$#-1}"; echo "${@:$#:1}"; last=${!#}; echo $last; set -- "${@:1:1}" X "${@:2}"; echo "$@"; n=$#; while ((n)); do eval "echo -n \${$n}"; ((n--)); done; echo; [[ $1 == a && $2 == X ]] && echo yes; shift 2; echo $1; shift 10; echo "rc $?"; echo $#; getopts ab: o -b val; echo "$o $OPTARG $OPTIND"; unset OPTIND; OPTIND=1; getopts :x o -y; echo "$o $OPTARG"

### statistics
nums=(4 8 15 16 23 42); total=0; for n in "${nums[@]}"; do total=$((total + n)); done; avg=$((total / ${#nums[@]})); echo "$total $avg"; printf 'avg: %.2f\n' "$(echo "scale=4; $total/${#nums[@]}" | bc)"; evens=(); for n in "${nums[@]}"; do ((n % 2 == 0)) && evens+=("$n"); done; echo "${evens[*]}"; echo "${nums[@]}" | tr ' ' '\n' | sort -rn | head -3 | paste -sd' '; IFS=, ; csv="${nums[*]}"; unset IFS; echo "$csv"; IFS=, read -ra back <<< "$csv"; ((${#back[@]} == ${#nums[@]})) && echo match; declare -A sq; for n in 1 2 3; do sq[$n]=$((n**2)); done; for n in "${!sq[@]}"; do echo "$n ${sq[$n]}"; done | sort; primes=(); for ((i=2;i<30;i++)); do for p in "${primes[@]}"; do ((i % p == 0)) && continue 2; done; primes+=($i); done; echo "${primes[@]}"; a=0 b=1; for ((i=0;i<10;i++)); do echo -n "$a "; ((t=a+b,a=b,b=t)); done; echo; printf '%s\n' "${nums[@]}" | awk '{s+=$1; ss+=$1*$1} END{printf "%.3f\n", sqrt(ss/NR-(s/NR)^2)}'; x=255; printf '%x %o %b\n' $x $x '\0101'; echo "obase=2; $x" | bc; echo $((2#11111111)) $((8#377)) $((16#ff)); ((x & 0x0f)) && echo low; echo $((x >> 4)) $((x ^ 0xff)) $((~x & 0xff)); echo $(( RANDOM >= 0 ? 1 : 0 ))

### lines of a text
text="line one
line two

line four"; while IFS= read -r l; do printf '%d:%s\n' "$((++i))" "$l"; done <<< "$text"; echo "$text" | wc -l; echo "$text" | grep -c .; echo "$text" | sed -n '2p;$p'; echo "$text" | awk 'NF' | wc -l; mapfile -t L <<< "$text"; echo "${#L[@]} [${L[2]}] ${L[-1]}"; echo "${text%%$'\n'*}"; echo "${text##*$'\n'}"; echo "${text//$'\n'/;}"; printf '%s' "$text" | od -An -c | tail -1; w=($text); echo "${#w[@]}"; for word in $text; do ((c_$word++)) 2>/dev/null || ((c_$word)); done; echo $c_line; declare -A f; for word in $text; do f[$word]=$((${f[$word]:-0}+1)); done; for k in "${!f[@]}"; do echo "${f[$k]} $k"; done | sort -k1,1nr -k2 | head -2; echo "$text" | tr -d '\n' ; echo; head -c 4 <<< "$text"; echo; fold -w 4 <<< "abcdefgh"; nl -ba <<< $'x\ny'; expand <<< $'a\tb'; column -t <<< $'a bb\nccc d'; tr '[:lower:]' '[:upper:]' <<< "$text" | head -1; cut -c1-4 <<< "$text" | sort -u

### scopes and recursion
a() { local x=a; b; echo "a:$x"; }; b() { x=b; c; }; c() { local x=c; echo "c:$x"; }; x=g; a; echo "g:$x"; outer() { local v=1; inner() { ((v++)); }; inner; inner; echo $v; }; outer; cnt=0; incr() { ((cnt++)) || true; }; for _ in 1 2 3; do incr; done; echo $cnt; $(incr); echo $cnt; (incr); echo $cnt; incr | cat; echo $cnt; memo() { local k=$1; [[ -n ${cache[$k]-} ]] && { echo "hit ${cache[$k]}"; return; }; cache[$k]=$((k*k)); echo "miss ${cache[$k]}"; }; declare -A cache; memo 4; memo 4; fib() { local n=$1; if ((n<2)); then R=$n; return; fi; fib $((n-1)); local p=$R; fib $((n-2)); R=$((R+p)); }; fib 12; echo $R; hanoi() { (($1==0)) && return; hanoi $(($1-1)) $2 $4 $3; ((moves++)); hanoi $(($1-1)) $4 $3 $2; }; moves=0; hanoi 5 A C B; echo $moves; perm() { local p=$1 s=$2 i; [[ -z $s ]] && { echo -n "$p "; return; }; for ((i=0;i<${#s};i++)); do perm "$p${s:i:1}" "${s:0:i}${s:i+1}"; done; }; perm "" abc; echo; pal() { local s=${1,,}; s=${s//[^a-z]/}; [[ $s == "$(rev <<< "$s")" ]]; }; pal "A man, a plan" || echo no; pal "Never odd or even" && echo yes

### sparse arrays
x=(1 2 3); x[5]=6; echo ${x[@]:3}; echo ${x[@]: -1}; echo "${x[@]:5:1}"; echo "${#x[*]}"; for i in "${!x[@]}"; do :; done; echo $i; x=("${x[@]/#/a}"); echo ${x[@]}; declare -a y=([3]=c [1]=a); echo "${y[@]}" "${!y[@]}"; y+=(z); echo "${!y[@]}"; unset y[1]; echo "${!y[@]}"; y[-1]=last; echo "${y[@]}"; echo ${y[-1]} ${y[-2]}; z=(${y[@]}); echo "${!z[@]}"; [[ -v y[3] ]]; echo $?; [[ -v y[9] ]]; echo $?; read -a w <<< "p q r"; echo ${w[2]}; w[1]+=X; echo ${w[@]}; e=(); echo ${#e[@]}; e+=("" ""); echo ${#e[@]}; s=str; s[1]=two; echo "${s[@]}" "${!s[@]}"; unset s; declare -p s 2>/dev/null || echo unset; IFS=:; echo "${x[*]}"; unset IFS; echo "${x[@]@Q}"; echo ${x[@]@A}; a2=([0]=x [2]=y); for k in ${!a2[*]}; do echo -n "$k=${a2[k]} "; done; echo

### extended globs
shopt -s extglob nullglob; touch a.txt b.log c.tar.gz .h 'd e.txt'; mkdir -p sub/deep; touch sub/x.txt sub/deep/y.txt
for f in *.@(txt|log); do echo "$f"; done
echo !(*.txt) | tr ' ' '\n' | sort
echo +([a-z]).txt ?(a|b).txt
ls -1 *.txt | wc -l; files=(*); echo ${#files[@]}; none=(*.zip); echo ${#none[@]}; shopt -s dotglob; all=(*); echo ${#all[@]}; shopt -u dotglob; shopt -s globstar; printf '%s\n' **/*.txt; shopt -u globstar; echo */; for d in */; do echo "${d%/}"; done; cd sub && echo *; cd ..; for f in *.tar.*; do echo "${f%%.*} ${f#*.} ${f##*.}"; done; echo [[:alpha:]].txt [a-b].* [!a].txt; set -- *.txt; echo $#; v='*'; echo "$v" $v | wc -w; echo "*" '?' \[a\]; case a.txt in +([a-z]).t?t) echo cased;; esac; x=aaab; echo ${x%%+(a)*} ${x##+(a)} ${x//+(a)/Z}; [[ foo.bar == *.@(bar|baz) ]] && echo m; rm -f !(a.txt|sub); ls

### elements as targets
printf -v 'a[2]' '%s' x; printf -v 'm[k]' y 2>/dev/null; declare -p a; declare -A m; printf -v 'm[k]' '%d' 5; echo ${m[k]}; mapfile -O 2 -t b <<< $'p\nq'; declare -p b; read -r 'c[1]' <<< v; declare -p c; read -ra 'd' <<< "1 2"; declare -p d; f() { local -n arr=$1; arr[1]=z; local -n e=arr; echo ${#arr[@]}; }; z=(1 2 3); f z; echo ${z[@]}; g() { declare -gA G=([x]=1); declare -g -a H=(1 2); declare -gi I=2+3; }; g; echo ${G[x]} ${H[1]} $I; unset 'z[0]' 'm[k]'; echo "${!z[@]}" ${#m[@]}; set -- "${z[@]}"; echo $1; export z; env | grep -c '^z=' ; n=2; a[n]=N a[n+1]=M; echo ${a[2]} ${a[3]}; echo ${a[n]:0:1} ${#a[n]} ${a[n]/N/R}; (( a[n]=7 )); echo ${a[2]}; a=([1]=x [0]=y); echo ${a[@]}; a+=(z); echo ${!a[@]}

### ways to read
while read -r -t 1 l; do echo "$l"; done < <(printf 'a\nb\n'); read -t 0 < /dev/null; echo "t0 $?"; read -r -n 2 p <<< xyz; echo $p; read -r -d : q <<< 'a:b'; echo $q; read -r -N 4 s < <(printf 'a\nb\nc'); printf '%q\n' "$s"; IFS= read -r u < <(printf '  x  '); echo "rc $? [$u]"; read -r v w < <(printf 'one two three\n'); echo "$w"; echo "a:b c" | while IFS=': ' read -r a b c; do echo "$a/$b/$c"; done; printf 'k1=v1\nk2=v2=x\n' | while IFS='=' read -r k v; do echo "$k->$v"; done; printf '1,2;3,4\n' | tr ';' '\n' | while IFS=, read -r a b; do echo $((a+b)); done; exec 4< <(seq 3); while read -ru 4 n; do echo -n "$n "; done; exec 4<&-; echo; paste -d: <(seq 2) <(seq 3 4) | while IFS=: read a b; do echo $b$a; done; read -ra f <<< "  lead  trail  "; echo ${#f[@]}; read -r <<< $'tab\there'; echo "$REPLY"; read a b <<< 'esc\ aped x'; echo "$a|$b"; read -r a b <<< 'esc\ aped x'; echo "$a|$b"
