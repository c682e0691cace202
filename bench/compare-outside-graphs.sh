#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Sets what other simulators say of task graphs beside the critical path that `./ddl graph` prints.
#
# usage: bench/compare-outside-graphs.sh FOLDER
#
# FOLDER has astra-sim and LogGOPSim, built as their own pages say (analytical backend; `make` in
# src/LogGOPSim and src/Schedgen). These are not part of this module; what is not there is left out.
# Exit status: 0 if all lengths are within 2 per cent.

set -u -o pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
program=${DDL_BUILD:-$here/../build}/ddl-graph
[[ $# -eq 1 && -d $1 && -x $program ]] || {
    sed -n '5,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
cd "$1" || exit 2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failed=0

# compare NAME THEIR-NANOSECONDS ARGUMENT-OF-DDL-GRAPH...
compare() {
    local name=$1 theirs=$2
    shift 2
    "$program" "$@" --json >"$scratch/ours" || failed=1
    python3 - "$name" "${theirs:-0}" "$scratch/ours" <<'CODE' || failed=1
import json, sys
theirs = float(sys.argv[2]) / 1e3
ours = json.load(open(sys.argv[3]))["critical_path_s"] * 1e6
gap = ours / theirs - 1 if theirs else float("inf")
print(f"{sys.argv[1]}: {theirs:.3f} us, ours {ours:.3f} us, {gap:+.2%}")
sys.exit(abs(gap) > 0.02)
CODE
}

astra=(astra-sim/build/astra_analytical/build/bin/AstraSim_Analytical_Congestion_Aware)
examples=astra-sim/examples
if [[ -x ${astra[0]} ]]; then
    # One chunk, and next to no local memory and endpoint delay, which graphs do not have.
    sed 's/\("preferred-dataset-splits":\).*/\1 1,/; s/\("endpoint-delay":\).*/\1 1,/
        s/\("local-mem-bw":\).*/\1 1600000,/' \
        "$examples/system/native_collectives/Ring_4chunks.json" >"$scratch/system.json"
    for ranks in 8 16; do
        for collective in all_reduce all_gather reduce_scatter; do
            prefix=$(echo "$examples/workload/microbenchmarks/$collective/${ranks}npus_1MB/"*.0.et)
            prefix=${prefix%.0.et}
            length=$("${astra[@]}" --workload-configuration="$prefix" \
                --system-configuration="$scratch/system.json" \
                --remote-memory-configuration="$examples/remote_memory/analytical/no_memory_expansion.json" \
                --network-configuration="$examples/network/analytical/Ring_${ranks}npus.yml" |
                sed -n 's/.*Wall time: //p' | sort -n | tail -n 1)
            compare "astra-sim, $collective of $ranks" "$length" "$prefix" \
                --rate=429.4967296Gbps --latency=500ns # 50 GiB/s
        done
    done
fi

goal=LogGOPSim/src/LogGOPSim
schedgen=LogGOPSim/src/Schedgen/schedgen
if [[ -x $goal/LogGOPSim && -x $goal/txt2bin && -x $schedgen ]]; then
    cp "$goal/binary_tree_32.goal" "$scratch/binary_tree_32.goal"
    for pattern in allreduce_recdoub binomialtreereduce binomialtreebcast dissemination; do
        "$schedgen" -p "$pattern" -s 16 -d 1000000 -o "$scratch/$pattern.goal" >"$scratch/log"
    done
    for file in "$scratch"/*.goal; do
        "$goal/txt2bin" -i "$file" -o "$scratch/binary" >"$scratch/log"
        length=$("$goal/LogGOPSim" --filename="$scratch/binary" -b -L 2000 -o 0 -g 0 -O 0 -G 1 -S 1000000000 |
            sed -n 's/.*finishing time at host [0-9]*: \([0-9]*\) .*/\1/p')
        compare "LogGOPSim, $(basename "$file" .goal)" "$length" "$file" --rate=8Gbps --latency=2us
    done
fi
exit $failed
