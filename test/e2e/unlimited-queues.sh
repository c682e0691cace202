#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Unlimited queues: the same bytes as 8 queues where 8 are enough, on every transport; more queues in
# use where they are not; by weight they are refused.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

quick=(--quiet --set=output.alone=false --set=output.figures=false)
# run NAME QUEUES SETTING...
run() {
    local out=$1 queues=$2
    shift 2
    expect_status 0 "$DDL_BUILD/ddl-run" "$@" "${quick[@]}" --out="$scratch/$out" \
        --set=cluster.ports.queues="$queues" --set=cluster.hosts.bands="$queues"
}
for transport in tcp rdma fluid; do
    for queues in 8 unlimited; do
        run "$transport-$queues" "$queues" two-jobs-one-link --set=transport.kind="$transport" \
            --set=scheduler.network=grouper --set=scale.model=0.2
    done
    for file in stages jobs ports remarks schedule; do
        cmp "$scratch/$transport-8/$file.csv" "$scratch/$transport-unlimited/$file.csv" ||
            fail "$transport: $file.csv differs between 8 and unlimited queues with 2 priorities"
    done
done

# 12 jobs of 2 workers on the same 2 machines: 12 priorities at each.
job='{"model": {"name": "m", "bytes": "1MB", "forward": "0s", "backward": "0s"}, "workers": 2,
      "pattern": "ring", "iterations": 4, "placement": {"workers": [[0], [1]]}}'
cat >"$scratch/twelve.json" <<JSON
{
  "name": "twelve", "cluster": {"topology": {"kind": "single-switch", "hosts": 2}},
  "transport": {"kind": "rdma"}, "scheduler": {"network": "sptf"},
  "workload": {"jobs": [$job$(for _ in {2..12}; do printf ', %s' "$job"; done)]}
}
JSON
most() { sed -n 's/.*"most_ranks": \([0-9]*\).*/\1/p' "$scratch/$1/summary.json"; }
highest() { column "$scratch/$1/remarks.csv" "$2" | sort -n | tail -n 1; }
for queues in 8 unlimited; do
    run "twelve-$queues" "$queues" "$scratch/twelve.json"
    echo "$queues queues: band $(highest "twelve-$queues" host_band), codepoint $(highest "twelve-$queues" dscp)," \
        "priorities at a machine: $(most "twelve-$queues")"
done
[[ $(highest twelve-8 dscp) -eq 7 ]] || fail "8 queues: the highest codepoint is not 7"
[[ $(most twelve-8) -eq 12 ]] || fail "8 queues: not 12 priorities at a machine"
[[ $(highest twelve-unlimited host_band) -eq 12 && $(highest twelve-unlimited dscp) -eq 12 ]] ||
    fail "unlimited queues: 12 priorities are not told apart"
[[ $(most twelve-unlimited) -eq 12 ]] || fail "unlimited queues: not 12 priorities at a machine"
grep -q '"queues": "unlimited"' "$scratch/twelve-unlimited/summary.json" || fail "the summary does not say unlimited"

expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --set=cluster.ports.queues=unlimited \
    --set=cluster.ports.service=wrr --out="$scratch/refused"
expect_text "$scratch/err" "unlimited queues go with \"strict-priority\" only"
finish
