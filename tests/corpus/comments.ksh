#!/bin/keysh


# Comments wherever the language lets them stand.
#
#   indented text
a # behind


# alone

b   #	tabbed
  # indented
c ;  # behind a separator
d & # behind a job
if a # 1
  # 2
then # 3
  # 4
  b # 5
  # 6
elif c # 7
then # 8
  d
  # 9

  # 10
else # 11
  # 12
  e
fi # 13
while # 14
  a # 15
do # 16
  b
  # 17
done # 18
for x in a b # 19
  # 20
do # 21
  c
done # 22
for ((;;)) # 23
do # 24
  d
done
case x in # 25
  # 26
  a) # 27
    b # 28
    # 29
    ;; # 30
  # 31
  c) d ;; # 32
  e)
    # 33
    ;;
  f) g # 34
  # 35
esac # 36
{ # 37
  a # 38
} # 39
( # 40
  # 41
  a
  # 42
) # 43
f() # 44
{ # 45
  a
} # 46

# 47
g(
  a, # 48
  # 49
  b
) { # 50
  :
}
a | # 51
  # 52
  b && # 53
  c
x=$( # 54
  a # 55
  # 56
) # 57
x=`a # 58`
x="$(a # 59
)" # 60
echo $(a) "$(b)" # 61
x=(a # 62
  # 63
  b) # 64
x=[a # 65
  # 66
  b] # 67
x={a: 1 # 68
  # 69
} # 70
cat <<E # 71
$(a # 72
)
# no comment
E
# 73
cat <<E | b # 74
E
echo a#b '# no' "# no" \# no ${#x} ${x#y} $((2#1)) # 75
a \
  # 76
b
echo <(a # 77
)
[[ a && # 78
  b ]] # 79

# 80
