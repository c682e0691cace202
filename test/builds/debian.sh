#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The README's two commands on a bare Debian: debootstrap's minimal system, a fresh clone of this
# checkout's HEAD, `./ddl run quickstart`, `./ddl test`.
#
#   test/builds/debian.sh SUITE FOLDER [TEST-REGEX]
#
# SUITE       bookworm (Debian 12, ns-3.37) or trixie (Debian 13, ns-3.43), or a later one
# FOLDER      becomes the root of that system; one that is there already is used again, with what
#             was installed in it, but the clone is always a new one
# TEST-REGEX  only the tests whose name matches; without it, all
#
# Needs root, git and debootstrap. Mirror, keys and proxy are those of this machine's apt. With
# CCACHE_DIR set, the system compiles with that cache, and the clone lies at this checkout's own
# path: on the same Debian, objects that were compiled here are not compiled again.
# Exit status: 0 both commands did; 1 one of them did not, or the system could not be made; 2 usage.

set -eu -o pipefail

[[ $# -eq 2 || $# -eq 3 ]] || { sed -n '3,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[[ $EUID -eq 0 ]] || { echo "debian.sh: needs root, as chroot does" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debian.sh: apt-get install debootstrap" >&2; exit 2; }
suite=$1
regex=${3:-}
checkout=$(readlink -f -- "$(dirname -- "$0")/../..")

mkdir -p -- "$2"
root=$(readlink -f -- "$2")

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
[[ -z ${http_proxy:-} ]] || export http_proxy
[[ -z ${https_proxy:-} ]] || export https_proxy

if [[ ! -x $root/usr/bin/apt-get ]]; then
    debootstrap --variant=minbase "$suite" "$root" "$mirror"
    printf 'deb %s %s main\n' "$mirror" "$suite" >"$root/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(Check-|https?::)' >"$root/etc/apt/apt.conf.d/99host" || true
fi
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"

place=/ddl
cache=${CCACHE_DIR:-}
if [[ -n $cache ]]; then
    place=$checkout
    mkdir -p -- "$root/ccache"
fi
rm -rf -- "${root:?}$place"
git clone -q --no-hardlinks "$checkout" "$root$place"

# bare COMMAND: in the system, with nothing of this machine's environment, in a mount and process
# space of its own, so that nothing stays mounted or running
bare() {
    unshare --mount --pid --fork --kill-child bash -eu -c '
        mount --make-rprivate /
        mount --rbind /dev "$1/dev"
        mount -t proc proc "$1/proc"
        [[ -z $3 ]] || mount --bind "$3" "$1/ccache"
        exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            ${3:+CCACHE_DIR=/ccache LANG=C.UTF-8} bash -c "cd $2 && $4"' _ "$root" "$place" "$cache" "$1"
}

bare './ddl run quickstart'
bare "./ddl test ${regex:+--only='$regex'}"
bare '. /etc/os-release && printf "built and tested on %s, ns-3 %s, %s\n" "$PRETTY_NAME" \
    "$(dpkg-query -W -f="\${Version}" libns3-dev)" "$(g++ -dumpfullversion)"'
