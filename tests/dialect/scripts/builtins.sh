### operands too many
cat > lines.sh <<'END'
f() { return 1 2; echo no; }; f; echo after
echo "next $?"; exit 1 2; echo after
echo "next $?"; shift 1 2; echo after
echo "next $?"; for i in 1 2; do break 1 2; echo in; done; echo after
echo "next $?"; for i in 1 2; do continue 1 2; echo in; done; echo after
echo "next $?"; (exit 1 2; echo sub); echo "after $?"
END
bash lines.sh

### readonly functions
v() { echo func; }; readonly -f v; w() { :; }; declare -fr w; w() { echo no; }; echo $?; unset -f w; echo $?; unset w; echo $?; readonly -f nope; echo $?; readonly -f; declare -F; declare -fx v; declare -F v w; (w() { :; }; echo $?); declare -fr nope; echo $?

### arrays that are none
declare -A h; read -a h <<< x; echo $?; mapfile h <<< x; echo $?; s=text; read -a s <<< 'p q'; declare -p s; f() { local +i z=3; declare -p z; local -i +x y=1+1; declare -p y; }; f

### what comes before a message
x=1 y=2; declare -p x nope y 2>&1; alias a=b; alias nope a nope2 a 2>&1; printf '%d\n' 1 x 2 y 2>&1; printf '%d %d\n' 1 x 2 y 2>&1; shopt nullglob nope dotglob 2>&1; kill -l 9 nope 15 2>&1; printf -v out '%d\n' 1 x 2> /dev/null; echo "$out"

### commands that are no builtins
builtin ls; echo $?; builtin nope; echo $?; builtin echo yes

### an empty menu
select x in; do echo no; done; echo $?; select x in $none; do echo no; done; echo $?

### both ways to miss
shopt -s nullglob failglob; echo nope*; echo $?

### statuses of -c
bash -c 'set -u; echo $x'; echo $?; bash -c 'set -eu; echo $x'; echo $?; bash -c 'set -e; echo ${x?no x}'; echo $?; bash -c 'echo ${x?no x}'; echo $?; bash -c '(set -u; echo $x); echo $?'
