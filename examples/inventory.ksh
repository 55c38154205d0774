#!/usr/bin/env keysh
# A JSON job: read a document into a value, change it, and print it as JSON.
#
#     keysh inventory.ksh inventory.json

inventory=$(fromjson "$(cat "$1")")
echo "${inventory[site]} has ${#inventory[hosts]} hosts"

# A path of keys and indexes reads and writes inside a value.
inventory[hosts][0][cpus]=12
inventory[site]=green

# Use jq where it is easier; a list or a record comes back as a value.
web=$(tojson $inventory | jq '[.hosts[] | select(.tags | index("http")) | .name]')
typeof $web
for name in $web; do
    echo "- $name"
done

cpus=0
for host in ${inventory[hosts]}; do
    ((cpus += ${host[cpus]}))
done
inventory[cpus]=$cpus
tojson $inventory | jq -c '{site, cpus, hosts: [.hosts[].name]}'
