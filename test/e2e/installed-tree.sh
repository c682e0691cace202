#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# An installed tree on a machine that has nothing else, as a user without rights: a folder as root (chroot)
# with the tree, the libraries that it loads, and a shell. It runs, compares and reports.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

[[ $EUID -eq 0 ]] || { echo "skipped: chroot needs root"; exit 77; }
unshare --mount chroot / true 2>/dev/null || { echo "skipped: no chroot here"; exit 77; }
root=$scratch/root
expect_status 0 cmake --install "$DDL_BUILD" --prefix "$root/opt/ddl"
chmod 755 "$scratch"
mkdir -p "$root"/{bin,dev,home,proc,tmp}
chmod 1777 "$root/home" "$root/tmp"
tools=(env sh cat ls mkdir readlink dirname)
for tool in "${tools[@]}"; do
    cp -L "$(command -v "$tool")" "$root/bin/"
done
# the loader and the libraries, at their own paths
ldd "$root"/opt/ddl/bin/ddl-* "$root"/bin/* | grep -o '/[^ ]*' | grep -v -e ":$" -e "^$root" | sort -u |
    while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || { echo "skipped: no devices here"; exit 77; }

user() { # user COMMAND...: there, as nobody, with nothing of this environment
    unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot --userspec=65534:65534 "$@"' sh \
        "$root" /bin/sh -c 'cd /home && exec "$@"' sh /bin/env -i PATH=/opt/ddl/bin:/bin HOME=/home "$@"
}

small=(--set=scale.model=0.02 --set=scale.iterations=0.2)
expect_status 0 user ddl --help
expect_status 0 user ddl list scenarios
expect_text "$scratch/out" '^  quickstart '
expect_status 0 user ddl check quickstart --quiet
expect_status 0 user ddl run quickstart "${small[@]}" --quiet
expect_status 0 user ddl compare quickstart "${small[@]}" --vary=scheduler.network=fair-share,grouper --quiet
[[ $(column "$root/home/results/quickstart-compare/compare.csv" sct_s | grep -c .) -eq 2 ]] || fail "no two rows"
expect_status 0 user ddl report results/quickstart-compare
ls "$root"/home/results/quickstart-compare/*.html >"$scratch/out" || fail "no page"
expect_status 2 user ddl compare quickstart --seeds=2 --engine=slurm
expect_text "$scratch/err" 'apt-get install slurm-client'
[[ $(wc -l <"$scratch/err") -eq 1 ]] || fail "not one line: $(cat "$scratch/err")"
expect_status 2 user ddl test
finish
