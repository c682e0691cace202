#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --resume runs what is missing, and nothing else: after a failed run, a damaged one, an
# interruption, and a change of the request.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

cat >"$scratch/small.json" <<'JSON'
{
  "name": "small",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 2}, "hosts": {"gpus": 1}},
  "workload": {"jobs": [{"model": {"bytes": "200kB", "forward": "20ms"}, "workers": 2, "iterations": 1}]},
  "output": {"alone": false, "figures": false}
}
JSON
compare=("$DDL_BUILD/ddl-compare" "$scratch/small.json" --quiet --seeds=2 --jobs=2)
varied=(--vary=stop.time=1ms,1s --out="$scratch/results")
summaries() { # NAME: TIME of writing, of each summary
    (cd "$scratch/results/runs" && stat --format='%n %y' */summary.json | sort)
}
changed() { # how many summaries were written since $scratch/before
    summaries | comm -13 "$scratch/before" - | grep -c .
}
expect_changed() { # expect_changed COUNT WHAT
    local seen
    seen=$(changed)
    [[ $seen -eq $1 ]] || fail "$seen runs were run instead of $1: $2"
    summaries >"$scratch/before"
}

# 1 ms is too short, 1 s is enough: two runs fail, and the two others are not lost.
expect_status 1 "${compare[@]}" "${varied[@]}"
expect_text "$scratch/err" 'run time=1ms_seed=1 failed: exit status 1'
[[ $(column "$scratch/results/compare.csv" jct_s | grep -c .) -eq 2 ]] ||
    fail "not two of four rows have results: $(cat "$scratch/results/compare.csv")"
summaries >"$scratch/before"
cp "$scratch/results/compare.csv" "$scratch/compare.csv"

# Only what failed is tried again, and fails again: the same table.
expect_status 1 "${compare[@]}" "${varied[@]}" --resume
expect_changed 2 "those that failed"
cmp "$scratch/results/compare.csv" "$scratch/compare.csv" || fail "resuming changed the table"

# A damaged summary is no finished run.
printf '{"status": "do' >"$scratch/results/runs/time=1s_seed=2/summary.json"
summaries >"$scratch/before"
expect_status 1 "${compare[@]}" "${varied[@]}" --resume
expect_changed 3 "those that failed, and the damaged one"
cmp "$scratch/results/compare.csv" "$scratch/compare.csv" || fail "the damaged run came out otherwise"

# Another request, another scenario: everything is run anew; as it is without --resume.
expect_status 1 "${compare[@]}" "${varied[@]}" --resume --set=transport.mtu=9000
expect_changed 4 "all, since a setting was added"
sed -i 's/20ms/21ms/' "$scratch/small.json"
expect_status 1 "${compare[@]}" "${varied[@]}" --resume --set=transport.mtu=9000
expect_changed 4 "all, since the scenario was changed"
expect_status 1 "${compare[@]}" "${varied[@]}" --set=transport.mtu=9000
expect_changed 4 "all, without --resume"

# Ctrl-C in the middle, then the rest: the same as at once.
many=(--vary=workload.jobs.0.iterations=1,2,3,4 --set=workload.jobs.0.model.bytes=8MB)
expect_status 0 "${compare[@]}" "${many[@]}" --out="$scratch/at-once"
"${compare[@]}" "${many[@]}" --out="$scratch/results" >/dev/null 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "the first runs were over" test -e "$scratch/results/runs/iterations=2_seed=1/summary.json"
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "an interrupted comparison ends with $status"
expect_text "$scratch/err" 'interrupted; --resume'
expect_status 0 "${compare[@]}" "${many[@]}" --out="$scratch/results" --resume
cmp "$scratch/results/compare.csv" "$scratch/at-once/compare.csv" || fail "in two goes is not as at once"
finish
