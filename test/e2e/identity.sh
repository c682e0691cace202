#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A number names its run: --resume keeps a result only if it would come out the same today. A changed
# preset, trace, program, ns-3 default or result file makes a run anew; a new time of a file does not.
# (A changed plugin: own-scheduler.sh.)
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

export DDL_HOME=$scratch/home
preset=$DDL_HOME/scenarios/clusters/tiny.json
mkdir -p "$(dirname "$preset")" "$scratch/bin"
echo '{"topology": {"kind": "single-switch", "hosts": 2, "hostRate": "10Gbps"}, "hosts": {"gpus": 1}}' >"$preset"
cat >"$scratch/small.json" <<'JSON'
{
  "name": "small", "cluster": "tiny", "transport": {"kind": "fluid"}, "scale": {"model": 0.01},
  "workload": {"trace": "jobs.csv"}, "output": {"alone": false, "figures": false}
}
JSON
printf 'job_id,num_gpu,submit_time,iterations,model_name\n1,2,0,2,VGG-16\n' >"$scratch/jobs.csv"
cp "$DDL_BUILD"/ddl-run "$DDL_BUILD"/ddl-compare "$DDL_BUILD"/ddl-check "$scratch/bin"

compare=("$scratch/bin/ddl-compare" "$scratch/small.json" --quiet --seeds=2 --resume --out="$scratch/results")
runs=$scratch/results/runs
summaries() { (cd "$runs" && stat --format='%n %y' */summary.json | sort); }
expect_new() { # expect_new COUNT WHY COMMAND...: a comparison that makes so many runs anew
    local wanted=$1 why=$2 seen
    shift 2
    summaries >"$scratch/before"
    expect_status 0 "$@"
    seen=$(summaries | comm -13 "$scratch/before" - | grep -c .)
    [[ $seen -eq $wanted ]] || fail "$seen runs were made anew instead of $wanted: $why"
}

expect_status 0 "${compare[@]}"
expect_new 0 "nothing has changed" "${compare[@]}"
touch "$preset" "$scratch/jobs.csv" "$scratch/small.json" "$scratch/bin/ddl-run"
expect_new 0 "files have a new time and nothing else" "${compare[@]}"
sed -i 's/"name"/\n  \/\/ a comment\n  "name"/' "$scratch/small.json"
expect_new 0 "a comment" "${compare[@]}"

sed -i 's/10Gbps/9Gbps/' "$preset"
expect_new 2 "the preset has changed" "${compare[@]}"
expect_new 0 "and now it is the same" "${compare[@]}"
sed -i 's/,2,VGG-16/,1,VGG-16/' "$scratch/jobs.csv"
expect_new 2 "the trace has changed" "${compare[@]}"

# Another build: the linker's id of the program says so (the first byte of it behind "GNU").
python3 - "$scratch/bin/ddl-run" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16
data[at] ^= 1
open(sys.argv[1], "wb").write(data)
PYTHON
expect_new 2 "the program is another build" "${compare[@]}"

# ns-3's options, by whatever way they come.
NS_GLOBAL_VALUE=RngRun=7 expect_new 2 "another RngRun" "${compare[@]}"
expect_new 2 "the former RngRun" "${compare[@]}"
byHand=("$scratch/bin/ddl-run" "$scratch/small.json" --quiet --seed=1 --out="$runs/seed=1")
expect_status 0 "${byHand[@]}"
expect_new 0 "the same run, by hand" "${compare[@]}"
expect_status 0 "${byHand[@]}" --RngRun=7 --ns3::ddl::FluidTransport::HeaderBytes=100
expect_text "$runs/seed=1/summary.json" '"RngRun": "7"'
expect_text "$runs/seed=1/summary.json" '"ns3::ddl::FluidTransport::HeaderBytes": "100"'
expect_text "$runs/seed=1/summary.json" '"headerBytes": 100'
expect_new 1 "a run by hand with other defaults" "${compare[@]}"

# Results that are not all there any more.
rm "$runs/seed=1/ports.csv"
expect_new 1 "a file is gone" "${compare[@]}"
truncate --size=-1 "$runs/seed=2/jobs.csv"
expect_new 1 "a file is cut" "${compare[@]}"
expect_new 0 "all is there" "${compare[@]}"

# Equal identity, equal bytes.
expect_status 0 "${byHand[@]::4}" --out="$scratch/elsewhere"
for file in summary.json jobs.csv ports.csv schedule.csv remarks.csv stages.csv; do
    cmp "$scratch/elsewhere/$file" "$runs/seed=1/$file" || fail "$file differs between equal runs"
done
if grep -q -F "$scratch" "$runs/seed=1/summary.json"; then fail "the summary has a path of this machine"; fi

# What identifies a run, without running it.
expect_status 0 "$scratch/bin/ddl-run" "$scratch/small.json" --seed=1 --identity="$scratch/identity"
python3 - "$scratch/identity" "$runs/seed=1/summary.json" <<'PYTHON' || fail "the identity is not the summary's"
import json, sys
identity, summary = (json.load(open(name)) for name in sys.argv[1:])
sys.exit(any(summary[key] != identity[key] for key in ("versions", "identity", "scenario")))
PYTHON
expect_status 2 "$scratch/bin/ddl-run" "$scratch/small.json" --identity=/dev/null
[[ -c /dev/null ]] || fail "a device was replaced"
finish
