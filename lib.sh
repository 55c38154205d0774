echo lib
echo lib2
