#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads the public topologies of other projects, and compares them with readers of another language.
#
# usage: bench/read-outside-topologies.sh FOLDER
#
# FOLDER has any of these checkouts, which this script clones if `git` can reach them:
# High-Precision-Congestion-Control, SimAI (Apache-2.0), csg-htsim (BSD). Their files are not part of this
# module. Exit status: 0 if all pairs of hosts agree, and HPCC's files come back as they were.

set -u -o pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program=${DDL_BUILD:-$here/../build}/ddl-topology
[[ $# -eq 1 && -x $program ]] || {
    sed -n '5,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
program=$(readlink -f -- "$program")
mkdir -p "$1" && cd "$1" || exit 2
for repository in alibaba-edu/High-Precision-Congestion-Control aliyun/SimAI Broadcom/csg-htsim; do
    [[ -d ${repository#*/} ]] || git clone -q --depth=1 "https://github.com/$repository" "${repository#*/}" ||
        printf 'not there: %s\n' "$repository"
done

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
files=()
for file in High-Precision-Congestion-Control/simulation/mix/{ali_32host_10rack,fat,topology}.txt \
    csg-htsim/sim/datacenter/topologies/*.topo; do
    [[ -f $file ]] && files+=("$PWD/$file")
done
generator=$PWD/SimAI/astra-sim-alibabacloud/inputs/topo/gen_Topo_Template.py
if [[ -f $generator ]]; then
    (
        cd "$scratch" || exit
        for shape in 'Spectrum-X -g 128' 'AlibabaHPN -g 128' 'AlibabaHPN --dp -g 128' 'DCN+ -g 128' 'DCN+ --dt -g 128'; do
            # shellcheck disable=SC2086
            python3 "$generator" -topo $shape -psn 16 >/dev/null 2>&1 || printf 'not made: %s\n' "$shape"
        done
    )
    files+=("$scratch"/*)
fi

failed=0
python3 "$here/check-outside-topologies.py" "$program" "${files[@]}" || failed=1
for file in High-Precision-Congestion-Control/simulation/mix/{ali_32host_10rack,fat,topology}.txt; do
    [[ -f $file ]] || continue
    "$program" "$file" --set=bond=true --to=hpcc >"$scratch/once" &&
        "$program" "$scratch/once" --set=bond=true --to=hpcc | cmp -s - "$scratch/once" || failed=1
    # the words of the file itself, with one spelling of times and errors
    links=$(sed -n "1s/.* //; 1s/\r//; 1p" "$file")
    diff <(sed 's/\r$//; s/0\.001ms/1us/; s/1000ns/1us/; s/ 0\.0*$/ 0/; s/ *$//' "$file" | grep . | head -n $((links + 2))) \
        "$scratch/once" >/dev/null && printf '%s: comes back as it was\n' "$file" || failed=1
done
exit $failed
