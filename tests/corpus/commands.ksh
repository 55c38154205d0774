# Commands of every kind, laid out in many ways.
a;b;c
a & b &
a && b || c && d
a | b |& c | d
! a; ! a | b; time a; time -p a | b; time ! a; ! time a; time
! ! a
a && ! b | c && time d
if a; then b; fi
if a; then b; elif c; then d; elif e; f; then g; else h; fi
if a
then
	b

	c
else d
fi
if ! [ -f x ] && { a || b; }; then c; fi > out
if a
   b; then c; fi
if cat <<E; then b; fi
body
E
while a; do b; done; until a; do b; done
while a; b; do c; done < in | d
while read -r line; do echo "$line"; done <<< "$text"
while
  # why
  a
do b
done
for x in a b c; do echo $x; done
for x in "$@"
do
  echo $x
done
for x; do echo $x; done
for x
do echo $x; done
for x in; do :; done
for x in ...$list a *.c {1..3} $(ls) ; do :; done
for x in a \
  b \
  c; do :; done
for x in a; { b; }
for ((i=0;i<10;i++)); do a; done
for ((;;)) ; do a; break; done
for (( i = 0, j = 9 ; i < j ; i++, j-- )) { a; }
case $x in a) b;; esac
case $x in
  a|b) c ;;
  (d | e) f
     g;;
  *.c|?x|[a-z]*) h ;&
  @(i|j)) k ;;&
  "l m"|'n') ;;
  (esac) o;;
  $p|$(q)) if r; then s; fi;;
  *) t
esac
case x in esac
case "$1" in start) a; b ;; stop) c & ;; *) exit 1;; esac > log 2>&1
{ a; b; }; { a; }; { a & }
{
  a; }
{ a
}
(a); (a; b); (
a
)
( (a) ); ( (a); b ); ( ((a)) ); ((a)); (( (a) )); (a; (b))
{ { a; }; }; { (a); }; ({ a; })
{ a; } > x 2>&1; (a) < y; { a; } 3> z | b
f() { a; }; f () { a; }; function f { a; }; function f() { a; }; function f
{
  a
}
f() (a); f() if a; then b; fi; f() for x in a; do b; done; f() [[ a ]]; f() ((1)); f() { a; } > b
function if { a; }; function a-b { c; }; a-b() { c; }; a.b() { c; }; function a=b { c; }; function 1a { b; }
f() {
  g() { a; }
  h
}

a > b; a >b 2>c; a >>b; a <b; a <>b; a >|b; a 2>&1; a >&2; a <&3; a 3>&-; a 3<&-; a >&b; a &>b; a &>>b; a >&$fd
a > b c < d e; > a; > a b; 2> a b; x=1 > a b; {fd}> a; {fd}<&-; exec 3>&1 4< in; a > $x.log; a > "b c"; a <<< b; a <<< "b c"
a < <(b) > >(c); a <(b) <(c); a 2> >(tee d >&2)
a \
  b \
  > c \
  2>&1
a |
  b |
  c
a \
  | b \
  | c
a &&
b ||
c
a && b |
  c && d
{ a |
  b; } && (
  c )

cat <<E
plain $x ${y:-"z"} $(a b) `c d` $((1+1)) \$x \`e\` \\ \n " ' "quoted" 'single' a\
b
E
cat <<'E'
$x `y` \ \\ $(z
E
cat <<"E F" ; cat <<\E
a
E F
b
E
cat <<-E
	tabbed
		twice
	  mixed
	E
cat <<-'E'
	$x
	E
cat <<E | sort > out; echo after
body
E
cat <<A - <<B
a
A
b
B
cat <<E && a || b
E
cat <<E
$(cat <<F
inner
F
) and $(
  a
  b
)
E
x=$(cat <<E
body
E
)
f() { cat <<E; }
in f
E
3<<E cat
fd
E
while read x; do echo $x; done <<E
a
E
if a; then
  cat <<E
  indented
E
fi

[[ a ]]; [[ -f x ]]; [[ ! -f x ]]; [[ a == b ]]; [[ a = b* ]]; [[ a != "b" ]]; [[ $x =~ ^a(b|c d)*$ ]]; [[ a < b ]]; [[ a > b ]]
[[ -z $x && -n $y || $z -eq 1 ]]; [[ ( a && b ) || ! ( c ) ]]; [[ a -nt b ]]; [[ $x == @(a|b) ]]; [[ -v x[0] ]]; [[ ! ! a ]]
[[ $x =~ [0-9]+\.(x|"y z")$y ]]; [[ $x =~ a{2,3} ]]; [[ -list $x && -record $y ]]; [[ $x !~ ^$ ]]; [[ "$x" == *'*'* ]]
[[ a == b &&
   c == d # why not
   || e == f ]]
((a)); ((a+b*c-d/e%f)); ((a**b**c)); ((-a+ +b)); ((- -a)); ((!a&&~b||c)); ((a?b:c)); ((a?b?c:d:e)); ((a=b=c)); ((a+=b,c<<=d))
((a<b)); ((a<<b>>c)); ((a&b|c^d)); ((a==b!=c)); ((a[0]+a[$i]+u[k])); ((a++ + ++b - c-- - --d)); ((0x1f+0b1+0o7+010+2#1+1.5)); (($a+${b}+$(c)+"$d"))
(( a +
   b ))
