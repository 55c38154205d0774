#!/usr/bin/env keysh
# A deployment with declared parameters: they become `deploy --help`, wrong arguments are refused
# before anything runs, and --dry-run changes nothing.
#
#     keysh --sandbox=site deploy.ksh
set -eu

deploy(version, source: path = app, keep: int = 2, dry_run: bool = false) {
    if [[ ! $version =~ ^[0-9]+\.[0-9]+$ ]]; then
        echo "deploy: not a version: $version" >&2
        return 2
    fi
    local target="releases/$version"
    if [[ $dry_run == true ]]; then
        echo "would copy $source to $target"
        return
    fi
    mkdir -p releases
    cp -r "$source" "$target"
    (cd "$target" && find . -type f -exec sha256sum {} + > "../$version.sums")
    ln -sfn "$target" current
    echo "released $(wc -l < "releases/$version.sums") files as $version"

    # Remove all but the latest releases.
    local old=$(ls -d releases/*/ | sort -V | head -n -$keep)
    for release in ${old:+$(lines "$old")}; do
        rm -r "$release"
        echo "removed $release"
    done
}

mkdir -p app
echo "<h1>hello world</h1>" > "app/index page.html"
deploy 1.0 --dry-run
for version in 1.0 1.1 1.2; do
    deploy "$version"
done
(cd current && sha256sum --quiet -c ../1.2.sums)
readlink current
deploy next || echo "status $?"
