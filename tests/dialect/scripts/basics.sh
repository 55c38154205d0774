### arrays 1
a=(one two three); a[5]=six; unset 'a[1]'; echo "${!a[@]}" "${#a[@]}"; for i in "${!a[@]}"; do echo "$i=${a[i]}"; done; declare -p a
echo "${a[-1]}" "${a[@]:1:2}"; a+=(x "y z"); printf '<%s>' "${a[@]}"; echo; b=("${a[@]/e/E}"); echo "${b[*]}"; echo "${a[@]%e}" "${a[@]^}"

### arrays 2
declare -A m=([a]=1 [b]="two words" [c d]=3); for k in "${!m[@]}"; do echo "$k -> ${m[$k]}"; done | sort; echo ${#m[@]}; unset 'm[a]'; [[ -v m[b] ]] && echo yes; [[ -v m[a] ]] || echo no; m[z]+=x; m[z]+=y; echo ${m[z]}; declare -p m

### arrays 3
words="the quick brown the lazy quick the"; declare -A c; for w in $words; do ((c[$w]++)); done; for w in "${!c[@]}"; do printf '%s %d\n' "$w" "${c[$w]}"; done | sort -k2,2nr -k1,1

### arrays 4
a=(3 1 2); IFS=$'\n' sorted=($(sort <<<"${a[*]}")); unset IFS; echo "${sorted[@]}"; readarray -t l < <(printf 'a\nb b\n\nc'); echo "${#l[@]}"; declare -p l

### arrays 5
a=(1 2 3); f() { local -n r=$1; r+=(4); r[0]=x; echo "${#r[@]}"; }; f a; echo "${a[@]}"; g() { local arr=("$@"); echo "${arr[@]: -2}"; }; g a b c; echo "${a[@]@Q}"; echo "${a[*]@A}"; declare -p a

### arrays 6
a=(a b c); IFS=,; echo "${a[*]}" ${a[*]}; echo "$*"; set -- x y z; echo "$*" "$@"; unset IFS; echo "${*:2}" "${@:1:1}" "${@: -1}"; echo ${#@} ${#*} $#

### arrays 7
a=(1 2 3 4 5); for ((i=${#a[@]}-1;i>=0;i--)); do printf '%s ' "${a[i]}"; done; echo; echo "${a[@]:(-2)}"; s=0; for x in "${a[@]}"; do ((s+=x)); done; echo $s; echo $((a[1]+a[2])); a[i=7]=9; echo $i ${#a[@]} "${!a[@]}"

### arrays 8
stack=(); push() { stack+=("$1"); }; pop() { local n=${#stack[@]}; ((n)) || return 1; REPLY=${stack[n-1]}; unset "stack[n-1]"; }; push a; push "b c"; pop && echo "$REPLY"; pop && echo "$REPLY"; pop || echo empty

### arrays 9
a=([2]=x [5]=y z); echo "${!a[@]}"; a=(a{1..3} *.none); echo "${a[@]}"; b=($(echo 1 2 3)); echo ${#b[@]}; b=("$(echo 1 2 3)"); echo ${#b[@]}; c=(); echo "${#c[@]}" "${c[@]}" "${c[0]-unset}"; declare -a d; d[3]=1; echo ${#d[@]}

### arrays 10
mapfile -t -n 2 x <<< $'a\nb\nc'; echo "${x[@]}"; mapfile -s 1 -t y <<< $'a\nb\nc'; echo "${y[@]}"; mapfile z < <(printf 'q\nr\n'); printf '%q\n' "${z[@]}"; mapfile -d , -t w <<< 'a,b,c'; printf '<%s>' "${w[@]}"; cb() { echo "cb $1 $2"; }; mapfile -t -C cb -c 2 v < <(seq 5)

### strings 1
s="Hello, World"; echo ${#s} ${s:0:5} ${s: -5} ${s:7:3} ${s/World/You} ${s//l/L} ${s^^} ${s,,} ${s#*, } ${s%%,*} ${s/#Hello/Bye} ${s/%World/End}; echo ${s:0:-3} ${s:(-3):2}

### strings 2
p=/a/b/file.tar.gz; echo ${p##*/} ${p%/*} ${p%%.*} ${p#*.} ${p##*.}; f=${p##*/}; echo ${f%.gz} ${f%%.*}; echo "${p//\//_}" ${p//[ab]/X}

### strings 3
x=; echo "${x:-def}" "${x-def}" "${y:-def}" "${y-def}" "${x:+alt}" "${x+alt}" "${y:=set}" $y "${z:-$(echo sub)}" "${z:-"quoted  text"}" ${z:-'single  q'}; echo "${x:-'a b'}" "${q:-a}b}"

### strings 4
s='a b  c'; set -- $s; echo $#; IFS=:; v="x:y::z"; set -- $v; echo $# "$3"; IFS=' '; read -r a b c <<< "1 2 3 4"; echo "$c"; IFS=, read -ra arr <<< "p,q,,r"; echo ${#arr[@]}

### strings 5
s=$'tab\there\nnl'; echo "$s"; printf '%q\n' "$s" "a b" "" "it's" 'a"b' '$x' $'\x01' é; echo "${s@Q}"; printf '%s|%5s|%-5s|%05d|%x|%o|%e|%.2f|%c\n' a b c 42 255 8 1.5 3.14159 xyz

### strings 6
printf '%s %s\n' a b c d e; printf '%d%%\n' 50; printf '%b\n' 'a\tb\x41'; printf '[%*d]\n' 5 42; printf '%s\n'; printf -v v '%03d' 7; echo $v; printf '%(%Y)T\n' 0; printf "%'d\n" 1000; printf '%i %u\n' 0x1F 010; printf '%d\n' "'A"

### strings 7
trim() { local v=$*; v="${v#"${v%%[![:space:]]*}"}"; v="${v%"${v##*[![:space:]]}"}"; printf '%s' "$v"; }; echo "[$(trim "   hi there  ")]"; rev() { local s=$1 o= i; for ((i=${#s}-1;i>=0;i--)); do o+=${s:i:1}; done; echo "$o"; }; rev hello

### strings 8
join_by() { local IFS="$1"; shift; echo "$*"; }; join_by , a "b c" d; join_by / var lib; s=abc; while [ -n "$s" ]; do c=${s:0:1}; echo -n "$c-"; s=${s#?}; done; echo; [[ abc == a* ]] && echo m; [[ abc == "a*" ]] || echo nm; [[ abc =~ ^(a)(b?)(z?)c$ ]]; echo "${#BASH_REMATCH[@]}" "${BASH_REMATCH[@]}"

### strings 9
lower=$(echo ABC | tr A-Z a-z); echo $lower; str='a=1;b=2'; IFS=';' read -ra kv <<< "$str"; for p in "${kv[@]}"; do k=${p%%=*} v=${p#*=}; echo "$k:$v"; done; echo "${str//[^=]/}" | wc -c; n=${str//[^;]}; echo ${#n}

### arithmetic 1
echo $((1+2*3)) $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((2**10)) $((1<<4)) $((255&15)) $((1|6)) $((5^3)) $((~5)) $((!0)) $((3>2)) $((1?10:20)) $((0x1f)) $((010)) $((2#1011)) $((36#z)) $((1,2))

### arithmetic 2
x=5; ((x++)); ((x+=10)); echo $x $((x--)) $x $((++x)); ((x>100)) || echo small; let "y = x * 2"; echo $y; let z=1+1 w=3; echo $z $w; ((0)); echo $?; ((1)); echo $?; echo $((x=3, x+1)) $x; echo $(( (x>2) && (x<5) ))

### arithmetic 3
i=0; while ((i<5)); do ((i==3)) && break; ((i%2)) && { ((i++)); continue; }; echo $i; ((i++)); done; for ((i=0,j=10;i<j;i+=3,j--)); do echo $i $j; done; n=10; until ((n<=7)); do ((n--)); done; echo $n

### arithmetic 6
gcd() { local a=$1 b=$2 t; while ((b)); do t=$((a%b)) a=$b b=$t; done; echo $a; }; gcd 48 18; fact() { (($1<=1)) && echo 1 || echo $(($1*$(fact $(($1-1))))); }; fact 10; fib() { local n=$1; ((n<2)) && { echo $n; return; }; echo $(( $(fib $((n-1))) + $(fib $((n-2))) )); }; fib 10; is_prime() { local n=$1 i; ((n<2)) && return 1; for ((i=2;i*i<=n;i++)); do ((n%i==0)) && return 1; done; }; for n in {1..20}; do is_prime $n && echo -n "$n "; done; echo

### options 1
f() { local OPTIND o v=0 file= ; while getopts ":vf:h" o; do case $o in v) ((v++));; f) file=$OPTARG;; h) echo help;; \?) echo "bad -$OPTARG";; :) echo "need arg -$OPTARG";; esac; done; shift $((OPTIND-1)); echo "v=$v file=$file rest=$*"; }; f -v -v -f x a b; f -vvf y; f -z; f -f; f -hv -- -x; f -fabc d

### options 2
while [[ $# -gt 0 ]]; do case "$1" in -a|--all) all=1; shift;; --name=*) name="${1#*=}"; shift;; -n|--name) name="$2"; shift 2;; --) shift; break;; -*) echo "unknown $1"; shift;; *) pos+=("$1"); shift;; esac; done; echo "all=${all:-0} name=${name:-} pos=${pos[*]:-}"
set -- -a --name=foo x -q -- y; while (($#)); do case $1 in -a) echo A;; --name=*) echo "${1#--name=}";; --) shift; echo "rest $*"; break;; *) echo "o $1";; esac; shift; done

### traps 1
trap 'echo exit $?' EXIT; trap 'echo int' INT; trap 'echo usr1' USR1; kill -USR1 $$; echo after; kill -INT $$; (exit 3); echo $?; false

### traps 2
set -e; trap 'echo "err line $LINENO status $?"' ERR; f() { echo in; false; echo no; }; f; echo notreached

### traps 3
cleanup() { echo "cleanup $1"; rm -f "$tmp"; }; tmp=$(mktemp); trap 'cleanup normal' EXIT; echo data > "$tmp"; cat "$tmp"; trap; trap - EXIT; trap 'echo replaced' 0; exit 5

### traps 4
( trap 'echo sub exit' EXIT; echo in sub ); trap 'echo debug: $BASH_COMMAND' DEBUG; echo a; x=1; trap - DEBUG; f() { trap 'echo ret' RETURN; echo f; }; f; f2() { return 3; }; f2; echo $?; trap 'echo T' TERM; trap -p TERM; trap '' HUP; trap -p

### errexit and pipefail 1
set -e; f() { false; echo after; }; if f; then echo ok; fi; f || echo or; ! false; echo neg; false && true; echo and; x=$(false) || echo sub; (false) || echo paren; { false; } || true; echo end; y=$(false; echo hi); echo "$y"; local_test() { local z=$(false); echo "local ok"; }; local_test; false; echo never

### errexit and pipefail 2
set -euo pipefail; echo a | grep b | cat && echo no || echo "pipe failed $?"; v=${UNSET:-d}; echo $v; arr=(); echo "${#arr[@]}" "${arr[@]}"; echo "$UNSET_VAR"; echo never

### errexit and pipefail 4
set -o pipefail; true | false | true; echo $? "${PIPESTATUS[@]}"; false | true; echo $?; set +o pipefail; false | true; echo $?; (exit 3) | (exit 4); echo "${PIPESTATUS[@]}"; ! true | false; echo $?

### errexit and pipefail 5
set -e; if [ -f /nonexist ]; then :; elif false; then :; else echo else; fi; while false; do :; done; for i in 1 2; do [ $i = 1 ] && continue; echo $i; done; case x in y) ;; esac; echo $?; [ 1 = 2 ] || true; cmd_sub=$(exit 4) && echo no; echo "survived? $?"

### heredocs 1
name=World; cat <<EOF
Hello $name $(echo sub) $((1+1)) \$name \\ `echo bt`
  "quoted" 'single'
EOF
cat <<'EOF'
raw $name $(no) \n
EOF
cat <<-EOF
	tabbed
		two
	EOF
cat <<EOF | tr a-z A-Z
pipe
EOF
while read -r l; do echo "[$l]"; done <<EOF
l1
 l2
EOF
cat <<A; cat <<B
a
A
b
B

### heredocs 2
f() { cat; }; f <<< "here $((1+1))"; v=$(cat <<EOF
multi
line
EOF
); echo "$v"; cat <<EOF > out.txt
to file
EOF
cat out.txt; cat <<"E O F"
x $y
E O F
wc -l <<< ""; read a b <<< "x y z"; echo "$b"; cat - <<< dash; tr a b <<< $'aa\naa'

### heredocs 3
cat <<EOF
${x:-default} ${y:-"q"} "$(echo "in quotes")" ${#HOME} \`bt\` \" ' $'no'
EOF
x='a  b'; cat <<EOF
$x
${x// /_}
EOF
cat <<EOF
a\
b
EOF
