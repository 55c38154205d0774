#!/usr/bin/env keysh
# Log analysis with typed rows: CSV becomes records, so no columns are cut out of text.
#
#     keysh logs.ksh requests.csv

report(file: path, slow: int = 300) {
    # Each line of JSON is a row, in which `ms` is a number; `note` may contain blanks and commas.
    rows=$(csv "$file" | fromjsonl)
    echo "${#rows} requests"

    counts={}
    for row in $rows; do
        key="${row[path]}"
        counts[$key]=$((${counts[$key]:-0} + 1))
        if [[ ${row[status]} -ge 500 ]]; then
            echo "failed: ${row[method]} ${row[path]} at ${row[time]}${row[note]:+ (${row[note]})}"
        elif [[ ${row[ms]} -gt $slow ]]; then
            echo "slow: ${row[path]} took ${row[ms]} ms (${row[note]})"
        fi
    done

    for path in ${!counts[@]}; do
        echo "${counts[$path]} $path"
    done | sort -rn | head lines=2
}

report "$@"
