#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A tiny benchmark: every case runs, carries what the others carry, and is in bench.json. No timing.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
bench=$DDL_BUILD/ddl-bench

expect_status 0 "$bench" --bytes=1280kB --repeat=1 --out="$scratch/all"
expect_text "$scratch/out" '^W +16 +1500 +stock '
expect_text "$scratch/out" '^ring +16 +1500 +tcp '
python3 - "$scratch/all/bench.json" <<'PYTHON' || fail "bench.json is not as it should be"
import json, sys

rows = json.load(open(sys.argv[1]))["results"]
keys = {(r["case"], r["transport"], r["hosts"], r["mtu"]) for r in rows}
transports = {r["transport"] for r in rows}
assert len(keys) == len(rows), "a case is there twice"
assert {"stock", "tcp"} <= transports, transports
for transport in transports:
    wanted = {("W", transport, h, m) for h in (16, 256) for m in (1500, 9000)}
    wanted |= {(w, transport, 16, 1500) for w in ("ring", "remark") if transport != "stock"}
    assert wanted <= keys, wanted - keys
assert {("W", "rdma", hosts, 1500) for hosts in (1024, 4096)} <= keys
for r in rows:
    # A ring rounds its chunks, and flows have whole bytes.
    whole = 1280000 // r["hosts"] * r["hosts"]
    assert r["bytes"] == whole or r["case"] == "ring" and abs(r["bytes"] - whole) <= 1e3, r
    assert 0 < r["goodput_gbps_per_host"] < 10, r
    assert r["cpu_s_per_gb"] > 0 and r["peak_mb"] > 0 and r["events"] > 0, r
    assert r["repetitions"] == 1 and r["spread"] == 0, r
    assert (r["ratio_to_stock"] is None) == (r["case"] == "ring" or r["hosts"] > 256), r
    assert (r["data_hops_per_cpu_s"] is None) == (r["data_hops"] is None), r
    assert r["drops"] in (0, None), r
    if r["transport"] == "tcp" and r["case"] != "ring":
        # Each flow has its bytes in packets of the MTU less 40, each over 4 links.
        flow = 1280000 // r["hosts"]
        assert r["data_hops"] == r["hosts"] * -(-flow // (r["mtu"] - 40)) * 4, r
    if r["transport"] == "stock":
        # Stock packets are counted in bytes; requests for connections have 12 of options.
        ideal = 1280000 / (r["mtu"] - 40) * 4
        assert abs(r["data_hops"] / ideal - 1) < 0.03, r
    if r["transport"] == "stock" or r["data_hops"] is None:
        assert r["transport"] in ("stock", "fluid"), r
by = {(r["hosts"], r["mtu"], r["transport"]): r for r in rows if r["case"] == "W"}
for (hosts, mtu, transport), r in by.items():
    if transport == "tcp":
        # The same protocol over the same paths: only the queues below the queue discs differ.
        stock = by[hosts, mtu, "stock"]
        assert abs(r["simulated_s"] / stock["simulated_s"] - 1) < 0.05, (r, stock)
PYTHON

expect_status 0 "$bench" --quick --transport=tcp --bytes=1MB --repeat=2 --quiet --out="$scratch/quick"
[[ ! -s $scratch/out && ! -s $scratch/err ]] || fail "--quiet is not"
[[ $(grep -c '"case"' "$scratch/quick/bench.json") -eq 1 ]] || fail "--quick --transport=tcp is one case"
expect_text "$scratch/quick/bench.json" '"repetitions": 2'

# A pair: both runs, in turn, and nothing else.
expect_status 0 "$bench" --work=repeat --transport=fluid --repeat=2 --out="$scratch/pair"
expect_text "$scratch/out" '^repeat +fluid +leaps '
python3 - "$scratch/pair/bench.json" <<'PYTHON' || fail "pairs in bench.json are not as they should be"
import json, sys

bench = json.load(open(sys.argv[1]))
assert bench["results"] == [], bench
(pair,) = bench["pairs"]
assert (pair["case"], pair["transport"], pair["repetitions"]) == ("repeat", "fluid", 2), pair
leaps, every = pair["runs"]
assert (leaps["name"], leaps["settings"]) == ("leaps", ["leap={}"]), leaps
assert (every["name"], every["settings"]) == ("every iteration", []), every
assert abs(pair["ratio"] - every["cpu_s"] / leaps["cpu_s"]) < 1e-9, pair
PYTHON
expect_text "$scratch/pair/pairs/repeat-fluid-leaps/summary.json" '"leaps"'
grep -q '"leaps"' "$scratch/pair/pairs/repeat-fluid-every-iteration/summary.json" &&
    fail "the run of every iteration leapt"
expect_status 2 "$bench" --work=waiting --transport=rdma --bytes=1MB
expect_text "$scratch/err" 'no case'

expect_status 2 "$bench" --quikc
expect_text "$scratch/err" 'did you mean --quick'
expect_status 2 "$bench" --transport=stok --work=W,ringg --mtu=15000 --bytes=1parsec
expect_text "$scratch/err" 'did you mean "stock"'
expect_text "$scratch/err" 'did you mean "ring"'
expect_text "$scratch/err" '^--mtu: "15000"'
expect_text "$scratch/err" '^--bytes: '
expect_status 2 "$bench" --work=ring --transport=stock
expect_text "$scratch/err" 'no case'
expect_status 2 "$bench" --repeat=0
expect_status 2 "$DDL_BUILD/ddl-bench-case" W tcpp
expect_text "$scratch/err" 'tcp'
expect_status 2 "$DDL_BUILD/ddl-bench-case" W tcp --hosts=17
touch "$scratch/file"
expect_status 1 "$bench" --quick --quiet --out="$scratch/file/results"

# Ctrl-C: no child stays, nothing half is written.
"$bench" --quick --transport=stock --bytes=10GB --out="$scratch/cut" >/dev/null 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "a case ran" pgrep -P "$child" -f ddl-bench-case >/dev/null
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "exit status $status instead of 130: $(tail -n 3 "$scratch/err")"
[[ ! -e $scratch/cut/bench.json ]] || fail "an interrupted benchmark wrote bench.json"
pgrep -P "$child" >/dev/null && fail "a case outlives the benchmark"
finish
