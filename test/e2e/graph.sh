#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `./ddl graph`: what a graph contains, as tables and as JSON, its picture, and what is wrong with one.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

cat >"$scratch/two.goal" <<'TEXT'
num_ranks 2
rank 0 {
a: calc 1000
b: send 1000b to 1
b requires a
}
rank 1 {
a: recv 1000b from 0
b: calc 500
b requires a
}
TEXT
expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal"
expect_text "$scratch/out" 'goal, 2 ranks, 2 different'
expect_text "$scratch/out" 'critical path +1.500 us, 4 nodes, 1.500 us of it computing'

# 1000 B at 8 Gbps take 1 us
expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --rate=8Gbps --latency=1us --json
python3 - "$scratch/out" <<'CODE' || fail "the JSON of a graph"
import json, sys
graph = json.load(open(sys.argv[1]))
assert graph["nodes"] == {"compute": 2, "send": 1, "receive": 1, "collective": 0}, graph
assert graph["message_bytes"] == 1000 and abs(graph["critical_path_s"] - 3.5e-6) < 1e-12, graph
CODE

expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --rate=8Gbps --out="$scratch/picture"
[[ -s $scratch/picture/graph.svg && -s $scratch/picture/graph-data.csv ]] || fail "no picture"

# A job of a scenario names the file; the run may start in any folder.
cat >"$scratch/job.json" <<'TEXT'
{"name": "job", "cluster": {"topology": {"kind": "single-switch", "hosts": 4}}, "transport": {"kind": "fluid"},
 "workload": {"jobs": [{"iterations": 3, "count": 4, "graph": "two.goal"}]},
 "output": {"training": true, "collectives": true, "figures": false}}
TEXT
cd / || exit 1
expect_status 0 "$DDL_BUILD/ddl-check" "$scratch/job.json"
expect_text "$scratch/out" 'graphs: +1 task graphs, 2 ranks, 4 nodes: .* per rank, .* per node'
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/job.json" --out="$scratch/job"
python3 - "$scratch/job" <<'CODE' || fail "the results of a job of a graph"
import csv, json, sys
folder = sys.argv[1]
jobs = list(csv.DictReader(open(folder + "/jobs.csv")))
training = list(csv.DictReader(open(folder + "/training.csv")))
assert len(jobs) == len(training) == 4, training
assert all(job["workers"] == "2" and job["bytes"] == "3000" and job["slowdown"] for job in jobs), jobs
# 1.0 us on one rank, 0.5 us on the other
assert all(abs(float(row["compute_s"]) - 0.75e-6) < 2e-9 and row["mfu"] == "" for row in training), training
summary = json.load(open(folder + "/summary.json"))
job = summary["scenario"]["workload"]["jobs"][0]
assert job["graph"]["files"] == "two.goal" and job["graph"]["format"] == "goal", job
assert len(summary["identity"]["graphs"]) == 1 and summary["metrics"]["exposed_s"]["count"] == 4, summary["metrics"]
assert "tokens_per_s" not in summary["metrics"], summary["metrics"]
CODE
# A changed file is another run.
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/job.json" --identity="$scratch/before"
sed -i 's/calc 500/calc 501/' "$scratch/two.goal"
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/job.json" --identity="$scratch/after"
cmp -s "$scratch/before" "$scratch/after" && fail "a changed graph leaves the identity"

# A log says who arrives when, graphs say what is sent.
cat >"$scratch/log.json" <<TEXT
{"name": "log", "cluster": {"topology": {"kind": "single-switch", "hosts": 2}, "hosts": {"gpus": 8}},
 "transport": {"kind": "fluid", "localRate": "2400Gbps"},
 "workload": {"trace": "jobs-graphs-small.csv", "replay": {"limit": 4, "graphs": [
   {"name": "two-ranks", "graph": "two.goal"},
   {"name": "llama", "kind": {"type": "llm", "Model": "tiny", "Tensor": 8}},
   {"name": "llama", "kind": {"type": "llm", "Model": "tiny", "Tensor": 8, "Data": 2}}]}},
 "output": {"alone": false, "figures": false, "training": true}}
TEXT
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/log.json" --out="$scratch/log"
python3 - "$scratch/log" <<'CODE' || fail "the results of a trace of graphs"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/training.csv")))
assert sorted(row["model"] for row in rows) == ["llama-7b"] * 2 + ["two-ranks"] * 2, rows
assert all((row["tokens_per_s"] != "") == (row["model"] == "llama-7b") for row in rows), rows
CODE
cd "$scratch" || exit 1

sed -i 's/recv 1000b/recv 999b/' "$scratch/two.goal"
expect_status 2 "$DDL_BUILD/ddl-check" "$scratch/job.json"
expect_text "$scratch/err" '/workload/jobs/0/graph: .*two.goal: rank 0, node 1 "b": sends 1000 B to rank 1'
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/two.goal"
expect_text "$scratch/err" 'two.goal: rank 0, node 1 "b": sends 1000 B to rank 1 with tag 0, where rank 1, node 0 "a" receives 999 B'
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/none"
long=$(printf 'x%.0s' {1..5000})
expect_status 2 "$DDL_BUILD/ddl-graph" "$long"
expect_text "$scratch/err" 'is no file that can be read'
printf 'num_ranks 2\nrank 0 {\nsend 8b to 7\ncalk 5\ncalc x\n}\nrank 1 {\nfoo\n}\n' >"$scratch/wrong.goal"
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/wrong.goal"
[[ $(grep -c 'wrong.goal:' "$scratch/err") == 4 ]] || fail "four errors, $(cat "$scratch/err")"
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --set=IgnoreNic=true
expect_text "$scratch/err" 'IgnoreNics'
finish
