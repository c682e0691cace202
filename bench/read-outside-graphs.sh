#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads the public task graphs of other projects, and says what was read of which.
#
# usage: bench/read-outside-graphs.sh FOLDER
#
# FOLDER has any of these checkouts, which this script clones if `git` can reach them: astra-sim
# (MIT), chakra, aicb, SimAI (Apache-2.0), LogGOPSim (BSD with acknowledgement). Their files are not
# part of this module. Exit status: 0 if all was read that should be.

set -u -o pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program=${DDL_BUILD:-$here/../build}/ddl-graph
[[ $# -eq 1 && -x $program ]] || {
    sed -n '5,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
folder=$1
mkdir -p "$folder" || exit 2
for repository in astra-sim/astra-sim mlcommons/chakra spcl/LogGOPSim aliyun/aicb aliyun/SimAI; do
    [[ -d $folder/${repository#*/} ]] ||
        git clone -q --depth=1 "https://github.com/$repository" "$folder/${repository#*/}" ||
        printf 'not there: %s\n' "$repository"
done
failed=0

# read_graph WANTED-STATUS NAME ARGUMENT...
read_graph() {
    local wanted=$1 name=$2 status
    shift 2
    "$program" "$@" --json >"$scratch/out" 2>"$scratch/err"
    status=$?
    if [[ $status -eq 0 ]]; then
        python3 - "$name" "$scratch/out" <<'CODE'
import json, sys
graph = json.load(open(sys.argv[2]))
nodes = graph["nodes"]
print(f'{sys.argv[1]}: {graph["ranks"]} ranks ({graph["programs"]} different), '
      + ", ".join(f"{count} {kind}" for kind, count in nodes.items() if count)
      + f', {graph["edges"]} edges, {sum(c["bytes"] for c in graph["collectives"])} B in collectives, '
      f'{graph["message_bytes"]} B in messages, path {graph["critical_path_s"] * 1e6:.3f} us')
CODE
    else
        printf '%s: refused (%d): %s\n' "$name" "$status" "$(head -n 1 "$scratch/err" | cut -c1-200)"
    fi
    [[ $status -eq $wanted ]] || failed=1
}

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$folder" || exit 2

for first in astra-sim/examples/workload/microbenchmarks/*/*/*.0.et \
    astra-sim/examples/system/custom_collectives/*/*.0.et; do
    [[ -f $first ]] && read_graph 0 "${first%.0.et}" "${first%.0.et}"
done
if [[ -f chakra/tests/data/feeder_tests_trace.tar.gz ]]; then
    tar xzf chakra/tests/data/feeder_tests_trace.tar.gz -C "$scratch"
    for first in $(find "$scratch" -name '*.0.et'); do
        read_graph 0 chakra/tests/data/feeder_tests_trace "${first%.0.et}"
    done
fi
for file in LogGOPSim/src/LogGOPSim/*.goal; do
    [[ -f $file ]] && read_graph 0 "$file" "$file"
done
old=(--set=Ranks=64 --set=ExpertParallel=1 --set=PipelineParallel=1 --set=TimeUnit=ns --set=FewerRows=true)
for file in aicb/workload/simAI/*/*.txt; do
    [[ -f $file ]] && read_graph 0 "$file" "$file" --format=simai --set=AllGatherSize=total "${old[@]}"
done
for file in SimAI/example/*.txt; do
    [[ -f $file ]] || continue
    more=()
    grep -q 'all_gpus: 9216' "$file" && # 9216 ranks of 7,000 nodes: fewer do the same
        more=(--set=Ranks=384 --set=IgnorePipeline=true)
    read_graph 0 "$file" "$file" --set=AllGatherSize=total "${more[@]}"
done
exit $failed
