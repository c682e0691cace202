#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The event list changes no result: the wheel, which is the default, against ns-3's map.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

scenario=(two-jobs-one-link --quiet --set=output.figures=false --set=output.iterations=true --set=scale.model=0.2)
expect_status 0 "$DDL_BUILD/ddl-run" "${scenario[@]}" --out="$scratch/wheel"
expect_status 0 "$DDL_BUILD/ddl-run" "${scenario[@]}" --out="$scratch/map" \
    --SchedulerType=ns3::MapScheduler
for file in stages jobs ports remarks schedule iterations; do
    [[ -s $scratch/wheel/$file.csv ]] || fail "$file.csv is missing"
    cmp "$scratch/wheel/$file.csv" "$scratch/map/$file.csv" || fail "$file.csv differs"
done
summary() { grep -v '"SchedulerType": ' "$1/summary.json"; } # its identity names the event list
cmp <(summary "$scratch/wheel") <(summary "$scratch/map") || fail "summary.json differs"
events() { grep -o '"events": [0-9]*' "$1/cost.json"; }
[[ -n $(events "$scratch/wheel") && $(events "$scratch/wheel") == "$(events "$scratch/map")" ]] ||
    fail "the number of events differs"

# Which it is, ns-3 itself says: before it reads the command line, and by its logs after that.
chosen() {
    local wanted=$1
    shift
    expect_status 0 "$@" --PrintGlobals
    expect_text "$scratch/out" "--SchedulerType=\[$wanted\]"
}
for program in "$DDL_BUILD"/ddl-run "$DDL_BUILD"/examples/ddl-{ring,one-job,priority-vs-wrr}; do
    chosen ns3::ddl::WheelScheduler "$program"
    chosen ns3::ListScheduler env NS_GLOBAL_VALUE="SchedulerType=ns3::ListScheduler" "$program"
done
run=("$DDL_BUILD/ddl-run" "${scenario[@]}" --out="$scratch/log")
export NS_LOG=MapScheduler=function:HeapScheduler=function
says() { "$@" 2>&1 | grep -oEm1 '(Map|Heap)Scheduler:Insert'; }
[[ $(says "${run[@]}") == "" ]] || fail "the map is used by default"
[[ $(says "${run[@]}" --SchedulerType=ns3::HeapScheduler) == HeapScheduler:Insert ]] ||
    fail "--SchedulerType=ns3::HeapScheduler is not heeded (or ns-3 is built without logs)"
finish
