#!/usr/bin/env keysh
# Words of every kind, in every place that takes one.

echo bare a/b.c x=y a#b a,b -n --long --long=1 +x @ % 100% 1.5 0x1f é 日本 '' ""
echo 'single' 'it is "so"' 'two
lines' "double" "it's" "two
lines" $'ansi \t \x41 \'q\' \e[0m \u00e9 \xff'  $"translated"
echo \$ \\ \  \" \' \# \; \& \| \( \) \< \> \* \? \[ \~ \{ \} \a \é
echo "\$x \`date\` \"q\" \\ \n \' cost: 5$ $ 5 $. a\\" "tail$" "\\$x" "\\\$x"
echo "joined \
line" joi\
ned 'not \
joined' "$x\
y" $x\
y

echo $x ${x} $1 ${1} ${10} $@ $* $# $? $$ $! $- $0 $_ "$@" "$*" "${x}y" $x.y $x-y ${x}_y "$x"y'z'
echo ~ ~/x ~amy ~amy/x ~+ ~- a~b x:~ ~"x" "~"
echo * ? [a-z] [!a-z] [^a] [[:alpha:]_] [] [ ] a[b]c *.c **/*.py .* [a-z]*[0-9]? '*' \*
echo @(a|b) ?(a) *(a|b*) +([0-9]) !(a|@(b|c)) x@(|y)z @("a b"|$x|'|')
echo {a,b} {a,b}{c,d} {a,{b,c},d} {,a} {a,} {1..9} {a..e} {9..1..-2} {01..10} {a} {} {a b} {a,"b c",$d}
echo pre{a,b}post {a,b,} {~,~/x} {$x,$(y)} a{b,c{d,e}f}g {"a",'b'} \{a,b\} "{a,b}" {a..} {1..} {,

echo $(date) $( date ) "$(date)" "$( date; ls )" $(a | b) $() "$()" `date` "`date`" `a \`b\`` "`a \"b\"`"
echo $(echo $(echo $(echo deep))) "$(echo "$(echo "$(echo deep)")")" a$(b)c"$(d)"e$`f`
echo <(sort a) >(cat) <(sort <(uniq b)) $(< file)
echo $((1+2)) "$((x))" $(( (1+2)*3 )) $((a[0]+b[$i])) $(($x+${y})) $(( x = 1, y += 2 )) $(())
echo $( (a) ) $( ((a)) ) $( (a); b ) <( (a) )

: ${x:-w} ${x-w} ${x:=w} ${x=w} ${x:?w} ${x?w} ${x:+w} ${x+w} ${x:-} ${x:-a b} ${x:-"a b"} ${x:-'a b'}
: ${x:-$y} ${x:-${y:-${z:-deep}}} ${x:-$(a b)} ${x:-`a`} ${x:-$((1+1))} ${x:-*} ${x:-~} ${x:-\}} ${x:-a
b}
: "${x:-w}" "${x:-a b}" "${x:-"a b"}" "${x:-'it'}" "${x:-\}}" "${x:-\"}" "${x:-$y}" "${x:-"${y:-"z"}"}"
: ${x#p} ${x##p} ${x%p} ${x%%p} ${x#*/} ${x%.*} ${x#"$y"} ${x#'*'} ${x%%[a-z]*} ${x#@(a|b)} ${x#\#} "${x#'a'}" "${x%"$y"}"
: ${x/a/b} ${x//a/b} ${x/#a/b} ${x/%a/b} ${x/a} ${x//a} ${x/a/} ${x/$y/$z} ${x//[^a-z]/_} ${x/\//-} ${x/"/"/'/'} ${x////_} "${x//a/"b c"}"
: ${x:1} ${x:1:2} ${x: -1} ${x: -3:2} ${x::2} ${x:0:-1} ${x:i+1} ${x:$i:${#x}} ${x:(1+2)*3:n} ${x:a?b:c:d} ${x: - -1} ${@:2} ${xs[@]:1:2}
: ${x^} ${x^^} ${x,} ${x,,} ${x^^[a-z]} ${x,,*} ${x@Q} ${x@U} ${x@L} ${x@u} "${x@Q}"
: ${#x} ${#} ${#@} ${#*} ${##} ${#?} ${#xs[@]} ${#u[k]} ${!x} ${!x:-w} ${!x*} ${!x@} ${!u[@]} ${!#} ${?} ${#:-w} ${!xs[*]}
: ${u[k]} ${u[$k]} ${u["a b"]} ${u[a b]} ${u[a][b]} ${xs[0]} ${xs[-1]} ${xs[1:3]} ${xs[i+1]} ${xs[ys[0]]} ${xs[@]} ${xs[*]} "${xs[@]}" ${u[k]:-w} ${u[k]#p} ${u[k]/a/b} ${u[k]^^} ${u[$(a)]} ${u[a.b]} ${u[*x]}
