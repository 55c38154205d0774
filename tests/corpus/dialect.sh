#!/bin/bash
# Constructs of the bash dialect, some of which keysh's own reads differently.

select name in one "two three" $others; do # a menu
    break
done
select arg; do echo "$arg"; done

echo $[1 + 2] $[ x * (y + 1) ] "$[n]" $((x $op 3)) $((0x$digits + 2#101))
(( a[$i] += x$suffix, b++ ))
((!(a == 1) || b)) && let 'n = 2' m+=1

x=[1, y={a: z=[INFO]
list=([0]=a [5]=$b "c d" *.txt) list+=("$@")
declare -A map=([one]=1 ["two words"]=$x); declare -i n=2+3
export PATH=$PATH:/bin a=[x] name={y}
echo key=[a] key={a,b} ... ...$x key=$value {a: b}
${x:+$y} ${!prefix*} ${!name} ${x[0]} ${s:1:2} ${x[@]:1} ${x^^} ${x/a/"b c"}
cp $files $dir/*.c ${dest:-/tmp} >$log 2>&1 <<<$text

f() { local IFS=: ; set -- $1; return 300; }
function g { [[ $x == @(a|b)* && ! -e $y || $1 =~ ^(a|b)$ ]]; }
for file in $list; do cat <<-END | while read -r line; do :; done; done
	$file $(ls $dir) `date`
	END
case $1 in -[a-z]) ;; *[!0-9]*) ;& *) exit 300 ;; esac
diff <(sort $a) <(sort $b) |& tee >(wc -l) &
time -p { sleep 1; } && trap 'rm -f $tmp' EXIT
until [ $n -gt 3 ]; do n=$(expr $n + 1); done
( (echo a); ( (b) ) ); $(cmd); "$(cmd "$x")"
alias ll='ls -l'
ll $dir
