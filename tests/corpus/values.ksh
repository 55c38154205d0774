# Lists, records and arrays, assigned, passed and declared.

xs=[]; xs=[1]; xs=[ 1,2,  3 ]; xs=[a b c]; xs=[a,]; xs=[$x,]; xs=['a']; xs=["a"]; xs=[true] ys=[null] zs=[-1.5e3]
xs=["a b" 'c d' $e ${f} $(g h) ...$more ..."$more" $((1+1)) *.c a*b x~y ~/x \, "," ',' a:b http://x]
xs=["line\nnext\ttab" "quote \" back \\ slash \/ uni \u00e9 \ud83d\ude00 nul \u0000" "$x\n$y" "\$x" "a`b`c"]
xs=[[1 2] [3, [4]] {a: 1} [] {}] ; xs=[ # first
  one # of three
  # between
  two,

  three   # the last
  # behind
]
xs=[
1
2]
xs=[ # nothing in it
]
xs+=[4, 5]
r={}; r={name:amy}; r={name: amy, port: 8080, tags: [a b], inner: {x: 1, y: {z: 2}}, ...$more}
r={"content-type": x, 'a b': y, $k: v, ${k}: w, "$k-x": z, a.b: c, a-b: [], t: true, "": empty}
r={ ...$defaults, port: 1 }
r={
  # the name
  name: "amy",   # hers
  port: 8080
  "quoted key": 'single'

  nested: {
    a: 1 # one
  }
  list: [
    1 2
    3
  ] # numbers
}
r={
  $(key): value, `key`: value, $'k\t': value, k\ k: value
}
u[k]=v u[$k]=v u["a b"]=v u[a][b]=v xs[0]=9 xs[-1]+=1 xs[i+1]= u[k]=[1, 2] u[k]={a: b} u[k]=(a b) x= y+= z+=1
xs=() ; xs=(a b c) ; xs=( a   "b c" $d ...$e *.f {g,h} $(i) `j` ~ [0]=zero [k]+=v ["a b"]=c [$k]= )
xs+=(d) ; m=([a]=1 [b]="2 3" [c]=$(d)) ; xs=(
  one two   # a pair
  # alone
  three
  [k]=v
)
xs=( # nothing
)

spawn command="/usr/bin/jq" argv=["-r", ".foo"] env={MY_VAR: value} cwd=/work timeout=1000 clear_env=true
cmd a=1 --b=2 -c=3 d+=e f= g="h i" j='k' l=$m n=$(o) p=`q` r=~/s t=a:~/b u={v,w} x={} y={ } z=[a] aa=[a,] bb=[a-z]* cc=[$x] dd={a} ee=(f g)
cmd list=[
  1 # one
  2
] record={ a: 1,
  b: 2 } last
cmd aaaaaaaaaaaaaaa=[aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccccc, dddddddddddddd]
cmd record={aaaaaaaaaaaaaaaaaaaa: bbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccccc: [dddddddddddddd, eeeee]}
A=1 B=$x C="d e" D=[1, 2] cmd x=1 ; A=1 ; A=1 B=2

deploy(host, port: int = 8080, *files) { echo $host; }
one(a){ b; }
f(a: string, b: int?, c: float = 1.5, d: bool=true, e: list=[1, 2], g: record = {a: 1}, h: path = ~/x, i: any = "a b", *j) { :; }
f(
  a,   # first
  b = $(date)  # second
  # nothing more
)
{
  :
}
f(aaaaaaaaaaaaaaaaaaaaaaaaaaaa: string, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: int = 8080, *ccccccccccccccccc) { :; }

[[ x in [a b] && k in {a: 1} && z not in $list || y in [1, # one
2] ]]
