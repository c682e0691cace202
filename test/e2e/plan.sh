#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --plan: lines that anybody can carry out, in any order, twice, at the same time; --resume takes
# their results. ddl run --once, on which that rests: results appear whole or not at all.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

cd "$scratch" || exit 1
cat >small.json <<'JSON'
{
  "name": "small",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 2}, "hosts": {"gpus": 1}},
  "workload": {"jobs": [{"model": {"bytes": "2MB", "forward": "20ms"}, "workers": 2, "iterations": 2}]},
  "output": {"figures": false}
}
JSON
compare=("$DDL_BUILD/ddl-compare" small.json "--vary=workload.jobs.0.iterations=1,2" --seeds=3 --quiet)
summaries() {
    stat --format='%n %i %y' "$1"/*/summary.json
}

expect_status 0 "${compare[@]}" --out=local
expect_status 0 "${compare[@]}" --out=planned --plan
cmp "$scratch/out" planned/plan.json || fail "what is printed is not plan.json"
python3 - <<'PY' || fail "plan.json and plan.txt do not agree"
import json
runs = json.load(open("planned/plan.json"))["runs"]
lines = open("planned/plan.txt").read().splitlines()
assert [run["line"] for run in runs] == lines and len(lines) == 6
assert len({run["name"] for run in runs}) == len({run["folder"] for run in runs}) == 6
assert all(0 < run["cpu_s"] < 5 and 5 < run["memory_mb"] < 500 for run in runs)
PY
[[ ! -e planned/runs ]] || fail "a plan runs something"

# From another folder, the last line first, and every line twice at the same time.
(cd / && tac "$scratch/planned/plan.txt" | while read -r line; do
    sh -c "$line" & sh -c "$line" & wait
done)
[[ -z $(find planned/runs -name '*.part*') ]] || fail "parts are left: $(find planned/runs -name '*.part*')"
summaries planned/runs >before
sh planned/plan.txt
summaries planned/runs | cmp - before || fail "a line whose results are there ran again"
expect_status 0 "${compare[@]}" --out=planned --resume
summaries planned/runs | cmp - before || fail "--resume ran something"
cmp local/compare.csv planned/compare.csv || fail "the planned table is another one"

# Another request, or a damaged result: the line runs again.
run=("$DDL_BUILD/ddl-run" small.json --quiet --once --out=once)
expect_status 0 "${run[@]}"
expect_status 0 "${run[@]}" --seed=7
grep -q '"seed": 7' once/summary.json || fail "another seed did not run"
truncate -s 1 once/jobs.csv
expect_status 0 "${run[@]}" --seed=7
[[ $(wc -l <once/jobs.csv) -eq 2 ]] || fail "a damaged result was taken for a whole one"
inode=$(stat --format=%i once/summary.json)
expect_status 0 "${run[@]}" --seed=7
[[ $(stat --format=%i once/summary.json) == "$inode" ]] || fail "a whole result was made again"

# Killed, it leaves what was there.
long=("${run[@]}" --set=workload.jobs.0.iterations=100000)
for signal in KILL INT; do
    "${long[@]}" 2>err </dev/null &
    child=$!
    wait_until "$child" "the run had begun" catches_interrupts "$child"
    kill "-$signal" "$child"
    wait "$child" 2>/dev/null
    [[ $(stat --format=%i once/summary.json) == "$inode" ]] || fail "SIG$signal changed the results"
    [[ $signal == KILL ]] || [[ -z $(find . -maxdepth 1 -name '.once.part*') ]] || fail "SIG$signal left a part"
    rm -rf .once.part*
done
finish
