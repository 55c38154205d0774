#!/usr/bin/env keysh
# A tour of the language: one page, from top to bottom.

# ---- values: text, numbers, lists and records
name="Amy Pond"
port=8080
hosts=[web1, web2, "backup one"]
service={name: api, port: $port, tags: [http, public]}

echo "$name runs ${service[name]} on port ${service[port]}"
echo "first host: ${hosts[0]}, the last two: ${hosts[-2:]}"

# A loop runs over a list; values are never split on blanks.
for host in $hosts; do
    echo "- $host"
done

# ---- functions with declared parameters: by position, as key=value, or as --key value
deploy(host: string, *files, port: int = 22, dry_run: bool = false) {
    if [[ $dry_run == true ]]; then
        echo "would copy ${#files} files to $host:$port"
        return
    fi
    echo "copying ${#files} files to $host:$port"
}

deploy web1 a.txt b.txt port=2222
deploy web2 c.txt --dry-run

# ---- everything from sh works as in sh
count=0
seq 1 10 | grep -v 5 | while read -r n; do
    ((count += n))
done
echo "the sum without 5 is $count"

case ${service[tags][0]} in
    http | https)
        echo "a web service"
        ;;
    *)
        echo "something else"
        ;;
esac

cat <<EOF
Dear $name,
  ${#hosts} hosts are up, as of $(date +%Y).
EOF
