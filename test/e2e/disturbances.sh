#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Links that fall and come back, background traffic, jitter and stragglers: all jobs still get done,
# each disturbance costs time, and equal runs stay equal.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# With seed 2 the two flows from leaf to leaf take different spines: calm, nothing contends.
cat >"$scratch/ring.json" <<'JSON'
{
  "name": "ring", "seed": 2,
  "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 2, "spines": 2}, "hosts": {"gpus": 1}},
  "transport": {"mtu": 9000},
  "workload": {"jobs": [{"model": {"name": "m", "bytes": "4MB", "forward": "1ms", "backward": "1ms"},
    "workers": 4, "pattern": "ring", "iterations": 4, "placement": {"workers": [[0, 0], [2, 0], [1, 0], [3, 0]]}}]},
  "output": {"alone": false, "figures": false}
}
JSON
run() { # run NAME SETTING...: milliseconds of the job in $jct
    local name=$1
    shift
    expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/ring.json" --quiet --out="$scratch/$name" "${@/#/--set=}"
    jct=$(column "$scratch/$name/jobs.csv" jct_s | awk '{ print $1 * 1e3 }')
    printf '%-12s %s ms\n' "$name" "$jct"
}
longer() { awk -v a="$jct" -v b="$calm" -v least="$1" 'BEGIN { exit !(a > b * least) }' || fail "$2"; }

run calm
calm=$jct
fall='{"at": "3ms", "between": ["leaf0", "spine0"], "up": false}'
rise='{"at": "9ms", "between": ["leaf0", "spine0"], "up": true}'
run link "cluster.links=[$fall, $rise]"
longer 1.02 "a link that falls for 6 ms costs nothing"
lost=$(awk -F, '$1 == "leaf0" && $3 == "spine0" || $1 == "spine0" && $3 == "leaf0" { sum += $7 } END { print sum }' \
    "$scratch/link/ports.csv")
[[ $lost -gt 0 ]] || fail "the link fell and nothing on it was dropped"
run constant 'workload.background=[{"source": 0, "destination": 2, "rate": "5Gbps", "dscp": 1, "band": 1}]'
longer 1.1 "half of a NIC taken by others costs nothing"
run elastic 'workload.background=[{"source": 0, "destination": 2, "kind": "elastic", "bytes": "1MB"}]'
longer 1.1 "an elastic flow costs nothing"
run straggler 'workload.compute.straggler={"type": "ns3::UniformRandomVariable", "Min": 1, "Max": 3}'
longer 1.05 "stragglers cost nothing"
jitter='workload.compute.jitter={"type": "ns3::UniformRandomVariable", "Min": 0.5, "Max": 1.5}'
run jitter "$jitter"
longer 1.01 "jitter costs nothing, though everybody waits for the slowest"
run jitter2 "$jitter"
cmp "$scratch/jitter/jobs.csv" "$scratch/jitter2/jobs.csv" || fail "equal seeds, unequal jitter"
run jitter3 "$jitter" seed=7
cmp -s "$scratch/jitter/jobs.csv" "$scratch/jitter3/jobs.csv" && fail "unequal seeds, equal jitter"

# A host that stays cut off: the run ends, says so, and lists the job.
expect_status 1 "$DDL_BUILD/ddl-run" "$scratch/ring.json" --quiet --out="$scratch/cut" \
    --set=stop.stall=2s --set='cluster.links=[{"at": "3ms", "between": ["h0", "leaf0"], "up": false}]'
expect_text "$scratch/cut/summary.json" '"status": "unfinished"'
expect_text "$scratch/err" 'job 1'
finish
