#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Slowdown against the runs alone: under SPTF, job 1 of two-jobs-one-link goes first and loses nothing
# (1.0); job 2, twice as large, waits for it: (1 + 2) / 2 = 1.5. A cojob alone has slowdown 1.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/two" --set=transport.mtu=9000
column "$scratch/two/jobs.csv" slowdown >"$scratch/slowdown"
awk '{ gap = $1 - (NR == 1 ? 1 : 1.5); if (gap > 0.01 || gap < -0.01) bad = 1 }
     END { exit bad || NR != 2 }' "$scratch/slowdown" || fail "not 1 and 1.5: $(tr '\n' ' ' <"$scratch/slowdown")"

expect_status 0 "$DDL_BUILD/ddl-compare" two-jobs-one-link --vary=scheduler.network=sptf \
    --out="$scratch/results" --set=output.alone=false
expect_values "$scratch/results/compare.csv" "$DDL_HOME/scenarios/two-jobs-one-link/expected.csv" 1

# The first cojob of the motivation by itself: what it measures is what it is measured against.
cat >"$scratch/one.json" <<'JSON'
{
  "name": "one", "cluster": {"topology": {"kind": "single-switch", "hosts": 3}, "hosts": {"gpus": 2}},
  "scheduler": {"network": "grouper", "period": "1ms"},
  "workload": {"cojobs": [{"stages": [1, 1], "search": "list", "jobs": [
    {"model": {"name": "m", "bytes": "2MB"}, "servers": 1, "placement": {"workers": [[0, 0]], "servers": [1]}},
    {"model": {"name": "m", "bytes": "2MB"}, "servers": 1, "stopAfter": 1,
     "placement": {"workers": [[0, 1]], "servers": [2]}}]}]}
}
JSON
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/one.json" --quiet --out="$scratch/one"
column "$scratch/one/stages.csv" slowdown >"$scratch/slowdown"
[[ $(sort -u "$scratch/slowdown") == 1 && $(grep -c . "$scratch/slowdown") -eq 2 ]] ||
    fail "a cojob alone is slowed down: $(tr '\n' ' ' <"$scratch/slowdown")"
# Job 1 alone has no barrier to wait at and no second job beside it: its slowdown is more than 1.
column "$scratch/one/jobs.csv" slowdown | awk '$1 < 1.05 { bad = 1 } END { exit bad || NR != 2 }' ||
    fail "two jobs share a NIC and neither is slowed down"
[[ -z $(find "$scratch" -name '.alone*') ]] || fail "scratch of the runs alone is left over"

# Jobs that do not meet take the paths that they take alone: every slowdown is 1 though their own
# streams, eight around a ring between two leaves, meet on two spines, in each job otherwise. On tcp the
# first job also opens the connections of the control plane, which the others find open.
job() { echo "{\"id\": $1, \"submit\": \"$2\", \"iterations\": 2, \"workers\": 8, \"pattern\": \"ring\",
    \"model\": {\"name\": \"m\", \"bytes\": \"400kB\"},
    \"placement\": {\"workers\": [[0, 0], [4, 0], [1, 0], [5, 0], [2, 0], [6, 0], [3, 0], [7, 0]]}}"; }
cat >"$scratch/apart.json" <<JSON
{
  "name": "apart", "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 4, "spines": 2}},
  "workload": {"jobs": [$(job 1 0s), $(job 2 1s), $(job 3 2s), $(job 4 3s)]}
}
JSON
for kind in tcp rdma fluid; do
    expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/apart.json" --quiet --out="$scratch/$kind" --set=transport.kind=$kind
    column "$scratch/$kind/jobs.csv" slowdown |
        awk -v most=$([[ $kind == tcp ]] && echo 0.03 || echo 0.001) \
            '$1 < 1 - most || $1 > 1 + most { bad = 1 } END { exit bad || NR != 4 }' ||
        fail "$kind: slowdowns of jobs that do not meet: $(column "$scratch/$kind/jobs.csv" slowdown | tr '\n' ' ')"
    [[ $(column "$scratch/$kind/jobs.csv" jct_s | sort -u | wc -l) -gt 1 ]] || fail "$kind: all jobs took the same paths"
done

# Without them the cells are empty, never 0.
expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/without" --set=output.alone=false \
    --set=transport.kind=fluid
[[ -z $(column "$scratch/without/jobs.csv" alone_s | tr -d '\n') ]] || fail "alone_s is not empty"
finish
