f() { echo hi;   echo "a  b" 'c'   d; }
f2() { if a; then b; elif c; then d; else e; fi; }
f3() { while a; do b; done; until a; do b; done < x > y; }
f4() { for i in a b "$@"; do echo $i; done; for j; do k; done; for ((i=0;i<3;i++)); do echo $i; done; }
f5() { case $1 in a|b) echo x;; (c) ;; *) echo y; echo z;& q) ;;& esac; }
f6() { ( a; b ) ; { c; d; } | e |& g && h || i; ! k; }
f7() { a & b & }
f8() { cat <<EOF
hi $x
 EOF2
EOF
echo x <<-'A' | b
	bla
	A
}
f9() { [[ -f x && ( $a == b* || ! -z $c ) ]]; (( a + b )); ((a++)); }
f10() { x=$(echo   a;  echo b) y=`echo   c` ; local z=1; a[3]=4; a=(1   2 [4]=5); declare -A m=([a]=b   [c]=d); }
f11() { echo a >b 2>&1 >>c 2>/dev/null <<<"x y" &>d 3<&- {fd}>x >|q <>r; }
f12() ( echo sub )
f13() { echo x; } >out 2>&1
function f14 { g() { echo inner; }; g; }
f15() { select x in a b; do echo $x; break; done; time a | b; time -p c; }
f16() { echo a; # comment
  # other

  echo b \
     c
}
f17() { a && { b; c; } || ( d ); if [ a ] && b; then c; fi | d; }
f18() for i in a; do b; done
f19() { a; b & c; d && e & f; }
f20() { if a; then b & fi; while a & do b & done; }
f21() { [[ a =~ ^b ]] && return 1; [[ $a ]]; [[ ! a ]]; [[ a -lt b ]]; [[ (a) ]]; }
f22() { cat <<E1 <<E2; echo z
a
E1
b
E2
}
f23() { while read -r a b; do echo "$a" | sed 's/x/y/' ; done < <(ls   -l); echo ${x:-$(a;b)} "$( (a) ; b)" $(( 1+2 )); }
f24() { coproc { a; b; }; coproc X { c; }; coproc ls -l; }
f25() { case x in esac; }
f26() { echo $(if a; then b; fi) $(<file) $(cat <<E
x
E
)
}
f27() if a; then b; fi
f28() { { a; } 2>x; ( b ) >y & (( c )) ; for x in; do y; done; }
f29() { cat <<A && echo b
x
A
}
f30() { if cat <<A; then
x
A
echo b; fi; }
f31() { a=1 b=2 cmd; a=1; >x; ! a; ! ! a; }
f32() { for i in 1 2
do
 while :
 do if x
    then y
    fi
 done
done; }
f33() { x=( a
b
# c
c ); echo $'a\nb' $"foo" "a\
b"; }
f34() { trap 'echo a
echo b' EXIT; [ a ] || { echo b; exit 1; }; }
f35() { a | while read x; do b; done; a | { b; }; a | ( b ); ! a | b; }
f36() { echo a; ( echo b; ( echo c ) ); { echo d; { echo e; }; }; }
f37() { case "$1" in
  start)
     go
     ;;
  stop | end) 
     if x; then y; fi
     ;;
esac; case a in b) c & ;; d) e;; esac }
f38() { for ((;;)); do a; done; for ((i=0, j=1; i < 3; ++i, j--)) { echo x; }; }
f39() { a;
}
f40() { echo a |
  b &&
  c; if a; b; then c; fi; while a; b; do c; done; if a && b; then c & d; fi; }
f41() { a <<E | b
x
E
c; }
f42() { { cat <<E
x
E
} | b; if a; then cat <<E
y
E
fi; d; }
f43() { (cat <<E
x
E
); b; }
f44() { if a; then (b); else { c; }; fi; (a); (a;b) & { a & }; }
f45() { [[ -v x ]] && [[ x -nt y ]] || [[ ! ( a && b || c ) ]]; [[ "$a" == "x"* && -n $b ]] ; }
f46() { coproc { a; b; }; coproc X { c; }; coproc ls -l; }
f47() { while IFS= read -r l; do :; done <<<"$x"; diff <(a  ;b) >(c); }
f48() { time { a; }; time ! a; ! time a; time; }
f49() { a && b & c || d; a; { b; } & }
f50() { function g() { x; }; h() ( y ); k() { z; } > w; }
f51() { case x in a) if b; then c; fi;; b) for i in 1; do d; done; e ;; esac; }
f52() { case x in a) cat <<E
foo
E
;; esac; }
f53() { until false; do { a; }; done; select y; do z; done; select z in; do a; done; }
f54() { echo ${x//a/b} "${a[@]:1:2}" $((x ? 1 : 2)) `a\`b\`` ~/x {a,b} *.c; }
f55() { eval "$x" && [ "$a" = b -o c ]; a=(); declare -a b=(  ); export X="a b" Y; }
f56() { return; }
f57() (a; b) 2>x
f58() ((x++))
f59() [[ a ]]
f60() { ((  a = 1  ,  b=2  )); (( a )) && let x=1; for ((  i = 0 ; i<2 ;  i++  )); do a; done; for ((i=0;;)); do b; done; }
f61() while a; do b; done
f62() case a in b) c;; esac
f63() { a; } >x <y
f64() { echo a>b 2>c>d <e; echo 1 >&2; exec 3<&0 4>&- 5<>x; a &>>b; a >&b; echo {x}>&1; }
f65() { 
cat <<-EOT
	a
		b
	EOT
  :
}
f70() { echo >&$x 2>&$y <&$z 3>&4- <&5 >&- <&-  3<&4; a >&b 2>&1; cat 3<<E <<<"a"
$x \
joined
E
}
f71() { x=$(a
b
c); y=$( { a; b; } ); z=$(case x in a) b;; esac); w=$(while a; do b; done); v=$(f() { a; }; f); u=$(a &); t=$(a & b); s=$( ); r=$(#c
a); }
f72() { [[ a = b ]]; [[ a != b && ( ! -f x ) ]]; [[ ! -f $x ]]; [[ -f $(a  b) ]]; }
f73() { echo "a $(b  c) ${x/$(y  z)/w}" $(( $(a  b) + 1 )) "`a  b`"; }
f74() { if ! a; then b; fi; while ! a | b; do c; done; ! [ a ] && b; }
f75() { { a; } && { b; } || { c; }; ( a ) | ( b ); { a; } & { b; } ; }
f76() { echo a\ b \
  "c" 'd
e' "f
g"; }
f77() { a || b
c && d
e; }
f78() { if [ "$1" = a ]; then return 0; elif [ "$1" = b ]; then return 1; elif c; then d; fi > x; }
f79() { for x in "${a[@]}"; do [ -z "$x" ] && continue; echo "$x"; done | sort -u; }
f80() { local IFS=, a=1 b; declare -A m; m[x y]=1; m[$k]+=z; a+=(b c); (( m[x]++ )); readonly r=(1 2); }
f81() { select opt in a b c; do case $opt in a) break;; *) echo no;; esac; done; }
f82() { >x; >x a; <y b=1; a >x b; 2>&1 c; }
f83() { function if () { a; }; }
f84() { cat <<"E F" <<\G
$x
E F
`y`
G
}
f85() { cat <<E; }
a
E
f86() { while cat <<E; do
x
E
b; done; until a <<E
x
E
do b; done; }
f87() { a <<E || b
x
E
d & cat <<E &
y
E
e; }
f88() { f() { cat <<E
x
E
}; g; }
f89() { for i in 1; do cat <<E; done; b
x
E
}
f90() { echo $"translated $1 $(a  b) \`x\`" $"plain" "`a | \
	b`"; read -d $'\0' -r x; }
