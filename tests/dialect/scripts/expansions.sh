### braces and the names of variables
f() { echo $#; }; x='1 2'; f $x{a,b}; f {a,b}$x; f $y{1,2}; y1=3; echo $y{1,2} {A..c} {X..b..2}; f {$u,b}; f $u{,}; f "$u"{,x}

### tildes out of braces
cd /; pushd /tmp > /dev/null; HOME=/h; echo {~,x}a {~,b}/c {~/d,e} x{~,y} {~,z}"q" {~,z}$u ~{a,/b} {~,a}:b; echo ~1 ~0 ~+1 ~-0 ~-1 ~1/x ~9 ~-5 ~1x "~1" ~0:~1; p=~0:~1; echo $p {~1,~0}/b

### strings that end at NUL
printf '<%s>' $'a\0b'c $'\x00' $'\u0000z' $'a\400b' $'x\c@y'; x=$'p\0q'; echo ${#x}; [[ a == $'a\0b' ]] && echo same

### the last word
echo a; x=1; echo "[$_]"; echo b; a=(1 2); echo "[$_]"; echo c; x=$(echo q z); echo "[$_]"; echo d; > file; echo "[$_]"; echo e; (echo sub); echo $_; echo g; echo x | cat; echo $_; f() { echo in; }; f p; echo $_

### declarations of what is expanded
a=([2]=x [5]="y z"); echo "${a[@]@K}"; echo ${a[@]@k}; echo "${a@A}|${a[@]@A}|${a[2]@A}|${a[7]@A}|${a@a}"; declare -x ex; echo "${ex@A}"; declare -i n; echo "${n@A}${n@a}"; declare -A h; echo "${h@A}|${h[@]@A}"; h[0]=z; echo "${h@A}"; declare -a e; echo "${e@A}|${e[@]@A}"; declare -n ref=a; echo "${ref@A}"; set -- ; printf '<%s>' "${@@A}"

### functions that do not run
echo "${FUNCNAME-main}" "[${FUNCNAME[0]}]" "${#FUNCNAME[@]}"; f() { echo "${FUNCNAME-main}" "${FUNCNAME[0]}"; }; f

### references to references
declare -n a=b; declare -n b=c; c=val; echo $a ${!a} ${!b}; a=new; echo $c; unset a; declare -p a b c; x=1; unset -n x; echo $x

### all as a key
declare -A h; h[@]=at; h[*]=star; h[k]=v; declare -p h; [[ -v h[@] ]]; echo $?; unset 'h[@]'; declare -p h; [[ -v h[@] ]]; echo $?; a=(1 2); unset 'a[*]'; declare -p a

### slices of associative arrays
declare -A h=([a]=1 [b]=2 [c]=3); echo "${h[@]:0:1}|${h[@]:1:1}|${h[@]:2}|${h[@]:3}|${h[@]:4}|${h[@]: -1}|${h[@]: -2:1}|${h[@]:0}|${h[*]:1:2}"

### seeds of RANDOM
RANDOM=42; echo $RANDOM $RANDOM $RANDOM; RANDOM=0; echo $RANDOM $RANDOM; RANDOM=-5; echo $RANDOM; RANDOM=99999999999; echo $RANDOM; RANDOM=abc; echo $RANDOM; RANDOM=1+1; echo $RANDOM; RANDOM=5; for i in {1..100}; do echo -n "$RANDOM "; done; echo

### escaped characters of patterns in values
touch 'a*b' axb 'c[d' 'e?'; x='a\*b'; echo $x; x='a\**'; echo $x; x='\e\?'; echo $x; x='c\[d'; echo $x; x='c\[*'; echo $x; x='a\\*'; echo $x; x='a[\*]b'; echo $x; y='a\'; echo $y*b; z='[\a]xb'; echo $z

### ignored paths
mkdir -p a/b c/a; touch a/f; GLOBIGNORE="a*"; echo */; echo */*; echo */*/; GLOBIGNORE="a*/"; echo */; GLOBIGNORE="*/"; echo */; GLOBIGNORE="a/*"; echo */*; GLOBIGNORE="a/b"; echo */*/; GLOBIGNORE="a"; echo */; GLOBIGNORE="*/*"; echo */ */*; GLOBIGNORE="a?"; echo */

### arguments in heredocs
IFS=-; set -- 'a b' c; cat <<E
$* ${*} "$*" $@
E
cat <<< "$* ${*}"

### quoted operands
x=11; (( "x" == 11 )) && echo one; (( $x == "$x" )) && echo two; ((x="5"+"6")); echo $x

### variables for one command
declare -i v=5; f() { declare -p v; v+=1; echo $v; }; v=1+1 f; declare -p v; declare -u w=ab; w=cd eval 'echo $w'; echo $w; a=(1); a=7 eval 'echo $a'; declare -p a; export x=s; x+=(t); declare -p x

### counts of unset arrays
set -u; (declare -a a; echo ${#a[@]}); echo $?; (declare -A h; echo ${#h[@]}); echo $?; a=(); echo ${#a[@]}; declare -A e=(); echo ${#e[@]}; f() { local -a l; l[0]=x; unset 'l[0]'; echo ${#l[@]}; local -a m; echo ${#m[@]}; }; f; echo no

### missing elements in arithmetic
set -u; a=(); ((a[0]++)); echo ${a[0]}; ((a[3]+=2)); echo ${a[@]} $((a[9])); b=s; echo $((b[3])); c=(); echo $((c)); declare -A h=(); ((h[x]++)); echo ${h[x]}; (declare -A i; ((i[x]++)); echo no); echo $?; (declare -a j; echo $((j[0]))); echo $?; declare -a e; e+=(); echo ${#e[@]}; (echo $((none[0]))); echo $?
