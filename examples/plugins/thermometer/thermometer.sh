#!/bin/sh
# Read one line of JSON, and print one.
read -r line
case $line in
    *'"kitchen"'*) celsius=21 ;;
    *'"bedroom"'*) celsius=17 ;;
    *)
        echo '{"success": false, "output": "", "error": "there is no such room"}'
        exit
        ;;
esac
case $line in
    *'"F"'*) degrees="$((celsius * 9 / 5 + 32)) F" ;;
    *) degrees="$celsius C" ;;
esac
echo "{\"success\": true, \"output\": \"$degrees\", \"error\": null}"
