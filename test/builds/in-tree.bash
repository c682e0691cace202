# SPDX-License-Identifier: GPL-2.0-only
#
# What in-tree.sh and waf.sh have in common; they source this. Both take NS3 [JOBS] and link this
# checkout to NS3/contrib/ddl.

set -eu -o pipefail

usage() {
    printf '%s: %s\n' "$(basename -- "$0")" "$1" >&2
    exit 2
}

[[ $# -eq 1 || $# -eq 2 ]] || usage 'give an ns-3 source tree that is configured and built'
ns3=$(readlink -f -- "$1")
jobs=${2:-2}
checkout=$(readlink -f -- "$(dirname -- "$0")/../..")
compgen -G "$ns3/build/lib/libns3*-core*" >/dev/null || usage "$ns3 is not configured and built"
out=$(mktemp -d)
trap 'rm -rf -- "$out"' EXIT

link_checkout() {
    local link=$ns3/contrib/ddl
    [[ -L $link || ! -e $link ]] || usage "$link is there and is not a link"
    ln -sfn -- "$checkout" "$link"
}

# Runs the scenario in the standalone build, where there is one (DDL_BUILD, or build/ of this
# checkout): its jobs.csv must equal that of $out/in-tree, byte by byte. Prints that they are equal.
compare_with_standalone() {
    local standalone=${DDL_BUILD:-$checkout/build}/ddl-run
    [[ -x $standalone ]] || return 0
    DDL_HOME=$checkout "$standalone" two-jobs-one-link --quiet "--out=$out/standalone" >&2
    cmp "$out/in-tree/jobs.csv" "$out/standalone/jobs.csv" >&2 || return 1
    printf ", jobs.csv byte-equal to the standalone build's"
}
