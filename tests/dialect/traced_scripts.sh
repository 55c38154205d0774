# Scripts with `set -x`; a line `#== NAME` begins each. Real bash says what they print.
#== tests and assignments
set -x; a=1; b="x y" c=$a; [[ $a == 1 && -n "$b" ]]; [[ $b =~ ^x || ! -e /q ]]; [[ x < y ]]; [[ ( -z $a ) ]]
#== arithmetic
set -x; ((a=1+2)); (( a > 2 && b++ )); let "c = 3" d=4; x=$((a+1)); for ((i=0;i<2;i++)); do :; done
#== heads of for
set -x; for i in 1 "2 3" $x; do echo $i; done; for f; do :; done
#== heads of case
set -x; case "a b" in a*) echo y;; esac; case $x in "") :;; esac; case * in *) :;; esac
#== the line in PS4
PS4='+${LINENO}: '; set -x; echo a
f() { echo b; (echo c); }
f
x=$(echo d; echo $(echo e))
#== a command in PS4
PS4='$(echo P)> '; set -x; echo a; x=$(echo b)
#== a descriptor for traces
exec 5>t; BASH_XTRACEFD=5; set -x; echo a; ls /nonexist; set +x; cat t; exec 5>&-; set -x; echo q
#== arrays and declarations
set -x; a=(1 2 "3 4"); a+=(5); a[0]=x; declare -A h; h=([a]=1 [b c]=2); h[z]=1; declare -a b=(1 2); local_=1; declare x=3 y="a b"; export z=1; readonly r=2
#== arguments of functions
set -x; f() { local a=1 b="x y"; local -a c=(1 2); return 3; }; f 'a b' $'x\ny' "" "it's" '"' '$x' '*' '~' 'a=b' '!' '#x' 'x#' '{a}' 'a;b' '[x]' 'a?' '-' '\'
#== special characters
set -x; echo $'\t' $'\e' é $'\x01' "a\\b" 'a^b' '=' '%' '@' ',' ':' '/' '+' 'a~b' '`' '&' '|' '<' '>' '(' ')' 
#== redirections and lists
set -x; echo a > o; echo b >> o; cat < o; cat <<<"x y"; cat <<E
hi
E
{ echo z; } 2>&1; ! true; true && false || echo c
#== loops and conditions
set -x; while [ "$n" != xx ]; do n=x$n; done; until true; do :; done; if test 1 -eq 1; then echo t; fi
#== select
set -x; PS3='? '; select s in a "b c"; do echo $s; break; done <<<1
#== eval and source
set -x; eval 'echo a; echo "b c"'; . /dev/stdin <<<'echo s'; trap 'echo bye' EXIT
#== operands of tests
set -x; [ a = b ]; [ -f /x -o -n y ]; test "x y"; [[ -v a ]]; [[ a -eq 0 ]]; [[ "a b" == "a b" ]]; [[ a* == "a*" ]]; [[ ab == a* ]]; [[ "$x" != 'a b'* ]]; [[ x =~ "a b"* ]]; [[ -n '' ]]; [[ $x ]]; [[ ! $x ]]; [[ a ]]
#== subshells
set -x; ( x=1; echo sub ); { y=2; }; bash -c 'echo in'; echo ${x:-$(echo d)}; z=${z:=3}
#== source and function in PS4
PS4='+ $BASH_SOURCE:$LINENO:${FUNCNAME[0]:-main}: '
set -x
f() {
  echo in
  g
}
g() { :; }
f
#== an empty PS4
PS4=; set -x; echo a; PS4='ab '; x=$(echo x; (echo y))
#== quoted words
set -x; printf '%s\n' "a
b"; echo "tab	x"; true "é è" 'à'
#== an ERR trap
set -xe; trap 'echo err' ERR; f() { false; }; f || true; false
#== a DEBUG trap
set -x; trap 'echo dbg' DEBUG; echo a; x=1
#== on and off
set -x; set +x; echo a; { set -x; } 2>/dev/null; echo b; { set +x; } 2>/dev/null; echo c
#== in a function
f() ( set -x; echo a; ); f; set -o xtrace; echo $-; set +o xtrace
#== case that continues
set -x; case x in y) ;; x|z) echo m ;;& x) echo n ;& w) echo w;; esac; case "" in *) :; esac; case 'a"b' in *) ;; esac
#== attributes
set -x; declare -i n=3+4; declare -r q="a b"; declare -x e=1; typeset t=x; declare -A m=([k]="v w"); declare -n ref=n; ref=2; declare -p n; local x 2>/dev/null
#== a heredoc in a substitution
set -x; x=$(cat <<E
a
E
); y=`echo b`; z="$(echo "c d")" ; echo "$x$y$z" >&2
#== nested loops
set -x; for x in $(echo 1 2); do for y in a; do echo $x$y; done; done
for ((;;)); do break; done; for ((i=0, j=1; i<1; i++, j--)) do :; done
#== in a loop
while read -r a b; do set -x; echo "$a-$b"; set +x; done <<<$'1 2\n3 4'
#== let
set -x; let a=1 'b = 2'; let "a++"; ((a++)) || true; let 0
#== substitutions in tests
set -x; [[ -e $(echo /tmp) && ( x == y || $((1)) -lt 2 ) ]]; [[ x == y ]] || [[ y == y ]]; [[ a -nt b ]]; [[ -t 0 ]]; [[ ! ( a == b ) ]]; [[ ! a == b ]]
#== process substitution
cat < <(set -x; echo p; : $(echo q))
#== quoted values
set -x; x="a
b"; y=$'\n'; echo "$x"; z=" lead"; w="end "; e=; t=$'\t'; s=';'; q="'"; d='"'; b='\'; c='a,b'; eq='a=b'; h='#'; g='a*'; v='$v'; n=é; ctl=$'\x01'; x="$x$y"
#== elements of arrays
set -x; a=(x "y z" *nomatch* '$'); a=([2]=a [5]="b c"); a=(); declare -a q=(); b=("${a[@]}"); b+=("${a[@]}" 'n w'); c=($(echo 1 2))
#== compound commands over lines
set -x
{
  echo a
} > out
function g { echo "$1"; }
g "$(echo x)"
g() { echo 2; } 2>&1
g
#== depth in PS4
PS4='+(${BASH_SUBSHELL}) '; set -x; (echo a; (echo b)); x=$(echo c)
#== status in PS4
PS4='[$?] '; set -x; true; false; echo a; ! true; (exit 3); echo $?
#== a named descriptor for traces
exec {fd}>log; BASH_XTRACEFD=$fd; set -x; echo a; (echo b); x=$(echo c); f() { echo d; }; f; set +x; unset BASH_XTRACEFD; cat log
#== traces in captured output
BASH_XTRACEFD=1; set -x; echo a; x=$(echo b); set +x; echo "[$x]"
#== expansions
set -x; echo {a,b}{1..2} ~root a* "$@" $* "${x[@]}"; set -- p 'q r'; echo "$@" "$*"
#== options
set -x; readonly A=1 B='x y'; export C D=2; export -n C; declare -- E=3; declare F; unset -v F; set -- ; set -u; set -o pipefail; shopt -s nullglob
#== verbose
set -vx 2>/dev/null; set +v; echo a
#== bash -x
bash -xc 'echo a; x=1; [[ $x ]]'; echo 'echo in; y=2' > s; bash -x s; bash -x ./s arg; . ./s
#== arguments in PS4
PS4='+ $0 $1> '; set -- one; set -x; echo a; f() { echo b; }; f two
#== expansions in PS4
PS4='${x}'; x='>>'; set -x; echo a; x='$(echo no)'; echo b; PS4='\\$x '; echo c; PS4='"q" '; echo d; PS4="+'s' "; echo e; PS4='a${b:-c d} '; echo f; PS4='`echo bt` '; echo g; PS4='$((1+1)) ' ; echo h
#== conditions of loops
set -x; if [[ a == a ]]; then (( 1 )); elif true; then :; else :; fi; while (( n++ < 2 )); do continue; done; until (( n-- < 1 )); do :; done
#== exit
set -x; echo a; return 0 2>/dev/null; exit 0
#== parameters and read
set -x; : ${u:=5}; : "${v:=a b}"; echo $u "$v"; x=${v// /_}; printf -v o '%s' "$v"; read -r l <<< "$v"; IFS=, ; arr=($v); unset IFS
#== eval
set -x; eval x=5; eval 'y="a b"' 'z=3'; eval "f() { echo e; }"; f; eval; source /dev/null
#== patterns and regular expressions
set -x
x=5
case $x in
  [0-9]) echo digit ;;
esac
[[ $x == [0-9] ]] && echo yes
[[ $x == "[0-9]" ]] || echo no
[[ $x =~ ^[0-9]+$ ]] && echo "${BASH_REMATCH[0]}"
[[ $x == "$x"* ]]
r='^[a-z ]+$'; [[ "a b" =~ $r ]]; [[ "a b" =~ "$r" ]]; [[ $x != ?(a|b) ]]
#== local options
f() { local - ; set -x; echo in; }; f; echo out; set -x; f; echo still; g() { set +x; }; g; echo off
#== exit in a function
set -x; trap 'echo ex' EXIT; f() { exit 3; }; f
#== exit in eval
set -x; eval 'trap "echo ex" EXIT; exit 3'
#== traces on standard output
BASH_XTRACEFD=1; set -x; echo a; x=$(echo b); set +x; echo "[$x]"
#== back to standard error
exec 5>t; BASH_XTRACEFD=5; set -x; echo a; unset BASH_XTRACEFD; echo b; set +x; cat t
#== a descriptor that a command redirects
exec 5>t; BASH_XTRACEFD=5; set -x; echo a; BASH_XTRACEFD=; echo b 2>/dev/null; echo c 5>u; set +x; cat t; cat u
#== descriptors for traces that change
exec 5>t 6>t2; BASH_XTRACEFD=5; set -x; echo a; BASH_XTRACEFD=6; echo b; { echo c; } 6>u; ls >/dev/null; f() { BASH_XTRACEFD=1; echo q; }; f; echo r; exec 6>&-; echo s; cat t t2 u
#== a local descriptor for traces
exec 5>t; set -x; BASH_XTRACEFD=5 ls -d .; f() { local BASH_XTRACEFD=5; echo in; }; f; echo out; set +x; cat t
#== a closed descriptor for traces
exec 5>t; BASH_XTRACEFD=5; set -x; exec 5>&-; echo b; set +x; cat t
#== compound commands to a descriptor
exec 5>t; BASH_XTRACEFD=5; set -x; (echo b); for i in 1; do echo $i; done 2>/dev/null; ((1)); [[ a ]]; set +x; cat t
#== traps of signals and functions
set -x; trap 'echo u' USR1; f() { return 1; }; trap 'echo ret' RETURN; set -T; f; trap 'echo e' ERR
false; trap 'echo ex; f' EXIT; x=$(trap 'echo in' EXIT; echo c); (trap 'echo s' EXIT; echo d); (false)
(echo sub; exit 2)
#== arrays of substitutions
set -x; x=$(exit 4); c=($(echo 1 2)); c+=($(echo 3)); declare -a d=($(echo 1)); declare e=$(echo 2)
export f=$(echo 3); h=$(echo 1)$(echo 2); for i in $(echo a); do :; done; : $(( $(echo 1) + 1 ))
#== escapes in PS4
PS4='\$ \w \\ \q \[x\] '; HOME=/none; cd /; set -x; echo a; unset PS4; echo b
