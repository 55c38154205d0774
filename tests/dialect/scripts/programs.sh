### strict mode with options
set -euo pipefail
IFS=$'\n\t'
readonly SCRIPT_NAME="${0##*/}"
declare -A CONFIG=([host]=localhost [port]=8080)
log() { printf '%s: %s\n' "$1" "${*:2}"; }
parse() { while (($#)); do case $1 in --host) CONFIG[host]=${2:?missing}; shift 2;; --port=*) CONFIG[port]=${1#*=}; shift;; *) log WARN "unknown: $1"; shift;; esac; done; }
parse --host example.com --port=99 extra
for k in "${!CONFIG[@]}"; do log INFO "$k=${CONFIG[$k]}"; done | sort
items=(alpha "beta gamma" delta)
for i in "${!items[@]}"; do log ITEM "$i" "${items[$i]}"; done
if ! grep -q nothing <<< "${items[*]}"; then log INFO "not found"; fi
count=$(printf '%s\n' "${items[@]}" | grep -c a) || true
echo "$count"

### copies and archives
backup() { local src=$1 dst="${2:-backup}"; [[ -d $src ]] || { echo "no $src" >&2; return 1; }; mkdir -p "$dst" && cp -r "$src"/. "$dst/" && echo "copied $(find "$dst" -type f | wc -l) files"; }
mkdir -p s/x; echo 1 > s/a; echo 2 > s/x/b; backup s; backup nope || echo "rc=$?"; tar czf b.tgz backup && tar tzf b.tgz | sort; rm -rf backup; tar xzf b.tgz; cat backup/x/b; du -a backup >/dev/null && echo du

### a log file
cat > log.txt <<'E'
2024-01-01 10:00:00 ERROR db: connection failed
2024-01-01 10:01:00 INFO web: started
2024-01-02 11:00:00 ERROR web: timeout
2024-01-02 12:00:00 WARN db: slow
E
grep -c ERROR log.txt; awk '{c[$3]++} END{for(k in c) print k, c[k]}' log.txt | sort; cut -d' ' -f1 log.txt | sort | uniq -c | sed 's/^ *//'; while read -r d t lvl src msg; do [[ $lvl == ERROR ]] && printf '%s|%s|%s\n' "$d" "${src%:}" "$msg"; done < log.txt; declare -A per; while read -r _ _ lvl _; do per[$lvl]=$(( ${per[$lvl]:-0} + 1 )); done < log.txt; for k in $(printf '%s\n' "${!per[@]}" | sort); do echo "$k: ${per[$k]}"; done; sed -nE 's/^([0-9-]+) .* (ERROR) ([a-z]+): (.*)$/\3: \4 (\1)/p' log.txt; tac log.txt | head -1 | tr -s ' ' | rev | cut -c1-4 | rev

### functions that check arguments
f() { case $# in 0) echo none;; 1) echo "one $1";; *) echo "many $*";; esac; }; f; f a; f a b; g() { [[ $1 =~ ^-?[0-9]+$ ]] || { echo "NaN: $1"; return 1; }; echo $(( $1 * 2 )); }; g 21; g x || echo bad; g -3; h() { local IFS=.; local -a p; read -ra p <<< "$1"; ((${#p[@]} == 4)) || return 1; local o; for o in "${p[@]}"; do [[ $o =~ ^[0-9]+$ ]] && ((o <= 255)) || return 1; done; }; for ip in 1.2.3.4 1.2.3 300.1.1.1 a.b.c.d; do h $ip && echo "$ip ok" || echo "$ip bad"; done

### queues and graphs
q=(); enq() { q+=("$1"); }; deq() { [[ ${#q[@]} -gt 0 ]] || return 1; item=${q[0]}; q=("${q[@]:1}"); }; enq a; enq "b c"; deq; echo "$item ${#q[@]}"; deq; echo "$item"; deq || echo empty; declare -A g; g[a]="b c"; g[b]=d; g[c]=d; g[d]=; dfs() { local n=$1; [[ ${seen[$n]} ]] && return; seen[$n]=1; echo -n "$n "; local m; for m in ${g[$n]}; do dfs $m; done; }; declare -A seen; dfs a; echo

### words of a sentence
s="The quick brown fox"; echo "${s,,}" | tr ' ' '\n' | while read -r w; do echo "${#w}:$w"; done | sort -t: -k1n -k2; words=($s); echo "${words[@]^^}" "${#words[@]}"; echo "${s//[aeiou]/*}"; echo "${s//[^[:upper:]]/}"; echo "${s:0:1}${s:(-1)}"; IFS=' ' read -r first rest <<< "$s"; echo "$rest"; rev=""; for ((i=${#words[@]}-1; i>=0; i--)); do rev+="${words[i]} "; done; echo "${rev% }"; [[ ${s} == *quick* ]] && echo found; echo "${s/quick/slow}" "${s%% *}" "${s##* }"; printf '%s\n' "${s// /$'\n'}"; echo "${s@U}"; [[ "$s" =~ (q[a-z]+) ]] && echo "${BASH_REMATCH[1]}"; expr length "$s"; expr "$s" : 'The \(.*\) fox'

### temporary files
tmp=$(mktemp -d); trap 'rm -rf "$tmp"; echo cleaned' EXIT; cd "$tmp"; for i in {1..3}; do echo "line $i" > "f$i.txt"; done; for f in *.txt; do mv "$f" "${f%.txt}.bak"; done; ls; cat *.bak | wc -l; find . -name '*.bak' -exec basename {} \; | sort; for f in f?.bak; do [[ -f $f ]] && sed -i 's/line/row/' "$f"; done; cat f1.bak; printf '%s\0' *.bak | xargs -0 -n1 echo arg; [[ f1.bak -ot f2.bak ]] || true; stat -c %s f1.bak; touch -d '2020-01-01' old; find . -name old -mtime +1; [[ -s f1.bak && ! -x f1.bak ]] && echo plain

### numbers
declare -i total=0; for n in 10 20 0x10 010; do total+=n; done; echo $total; printf -v padded '%05d' 42; echo $padded; printf '%-10s|%10s|\n' left right; printf '%5.1f%%\n' 45.678; for i in $(seq -w 8 10); do echo -n "$i "; done; echo; printf '=%.0s' {1..10}; echo; echo $(( 10#$(date -d @0 +%d) )); bc <<< 'scale=2; 10/3'; echo $(( (7 + 3) / 2 * 3 % 4 )) $((3 > 2 ? 1 : 0)); a=5; ((a **= 2)); echo $a; ((b = a > 20 ? 100 : 200)); echo $b; (( a & 1 )) && echo odd; echo $((a << 2 | 1)); for ((i = 1, s = 0; i <= 10; s += i, i++)); do :; done; echo $s; let 'x = 5' 'x += 2'; echo $x; echo $((-5 / 2)) $((-5 % 2)) $((5 / -2)); ((!0)) && echo t; n=3; while ((n--)); do echo -n $n; done; echo

### a menu
menu() { local opt; while read -r opt; do case ${opt,,} in l|list) echo listing;; a*) echo "add ${opt#* }";; q|quit|exit) echo bye; return 0;; '') continue;; *) printf 'bad: %q\n' "$opt";; esac; done; }; menu <<'E'
LIST
add x y
foo bar

Quit
never
E
yn() { case $1 in [Yy]|[Yy][Ee][Ss]) return 0;; [Nn]*) return 1;; *) return 2;; esac; }; for a in y YES no maybe; do yn $a; echo "$a $?"; done

### name references
process() { local -n _arr=$1; local -A _count=(); local x; for x in "${_arr[@]}"; do (( _count[$x]++ )) || true; done; for x in "${!_count[@]}"; do echo "$x ${_count[$x]}"; done | sort; }; data=(a b a c b a); process data; merge() { local -n out=$1; shift; local n; for n; do local -n in=$n; out+=("${in[@]}"); done; }; r=(); x1=(1 2); x2=(3 "4 5"); merge r x1 x2; printf '[%s]' "${r[@]}"; echo; getval() { local -n ref="cfg_$1"; echo "${ref:-none}"; }; cfg_a=1; getval a; getval b; declare -n alias_=cfg_a; alias_=7; echo $cfg_a; unset -n alias_; echo ${cfg_a}

### errtrace
set -E
trap 'echo "trap: $? in ${FUNCNAME[0]:-main} line $LINENO"' ERR
a() { b; }
b() {
  false
  echo "b continues"
}
a
( false; echo sub )
x=$(false; echo cs)
false || true
! false
false
echo end

### input read twice
printf 'x y\nz w\n' > in; while read a b; do echo "$b $a"; done < in > out; cat out; while IFS= read -r line; do for w in $line; do printf '%s,' "$w"; done; done < in; echo; exec < in; read first; echo "first: $first"; cat;

### lines in arrays
mapfile -t lines < <(printf '%s\n' one two three); printf '%s\n' "${lines[@]/#/> }"; echo "${lines[@]:1}"; for ((i=0; i<${#lines[@]}; i++)); do printf '%d:%s ' "$i" "${lines[i]}"; done; echo; unset 'lines[1]'; lines=("${lines[@]}"); echo "${#lines[@]} ${lines[1]}"; lines+=([5]=six); echo "${!lines[@]}"; echo "${lines[*]: -1}"; printf '%s\n' "${lines[@]}" | sort -r | head -1; [[ -v lines[5] ]] && echo has5; [[ -v lines[4] ]] || echo no4; a=("${lines[@]/six/6}"); echo "${a[@]}"; IFS=+ eval 'echo "${a[*]}"'; echo "${a[@]@Q}"

### locals and statuses
x=10; f() { local x=20; g; }; g() { echo "g sees $x"; x=30; }; f; echo $x; h() { local y; y=$(echo sub; exit 3); echo "rc $?"; local z=$(exit 4); echo "rc $?"; }; h; i() { echo "$FUNCNAME ${FUNCNAME[1]:-top} $LINENO"; }; i; j() { i; }; j; k() { return; }; false; k; echo $?; l() { true; return; }; l; echo $?; m() { set -- a b; echo $#; }; m x; n() { unset -f n; echo once; }; n; n 2>/dev/null || echo gone; o() (cd /; x=99; echo $PWD); o; echo $x

### versions and encodings
v="a.b.c"; IFS=. read -r p q r <<< "$v"; echo "$p-$q-$r"; IFS=. ; set -- $v; echo "$#"; unset IFS; ver_lt() { [ "$1" = "$2" ] && return 1; [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1)" = "$1" ]; }; ver_lt 1.9 1.10 && echo lt; ver_lt 2.0 1.10 || echo ge; urlenc() { local s=$1 i c o=; for ((i=0;i<${#s};i++)); do c=${s:i:1}; case $c in [a-zA-Z0-9.~_-]) o+=$c;; *) printf -v h '%%%02X' "'$c"; o+=$h;; esac; done; echo "$o"; }; urlenc 'a b&c/d'; urldec() { local s=${1//+/ }; printf '%b\n' "${s//%/\\x}"; }; urldec 'a%20b%26c'; caesar() { echo "$1" | tr 'a-z' "$(echo {a..z} | tr -d ' ' | sed -E "s/^(.{$2})(.*)$/\2\1/")"; }; caesar abcxyz 3; repeat() { local s=; for ((i=0;i<$2;i++)); do s+=$1; done; echo "$s"; }; repeat ab 3; printf '%s' "${v//./$'\n'}" | sort -r | paste -sd.

### getopts in a function
function usage {
    cat <<-EOF
	Usage: prog [options]
	  -h  help
	EOF
}
main() {
    local -a files=(); local dry=0 OPTARG OPTIND=1 opt
    while getopts 'hnf:' opt; do
        case "$opt" in
            h) usage; return 0 ;;
            n) dry=1 ;;
            f) files+=("$OPTARG") ;;
            ?) usage >&2; return 2 ;;
        esac
    done
    shift $((OPTIND - 1))
    echo "dry=$dry files=${#files[@]} rest=$*"
}
main -n -f a -f 'b c' x y; main -h; main -z 2>/dev/null; echo $?; main -f 2>/dev/null; echo $?; main
