#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Odd names, full disks, folders that vanish or are in use, signals at bad moments: a run ends with
# the right status, says why, and leaves nothing half-written.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

run=("$DDL_BUILD/ddl-run")
small=(two-jobs-one-link --quiet --set=output.figures=false --set=scale.model=0.1)
long=(two-jobs-one-link --quiet --set=output.figures=false --set=output.alone=false
    --set=workload.jobs.0.iterations=100000)

# Names with spaces, and names that are no UTF-8.
for name in 'a name' $'\xff\xfe'; do
    mkdir "$scratch/$name"
    cp "$DDL_HOME/scenarios/two-jobs-one-link/scenario.json" "$scratch/$name/my scenario.json"
    expect_status 0 "${run[@]}" "$scratch/$name/my scenario.json" --out="$scratch/$name/my results" \
        --quiet --set=scale.model=0.1
    expect_text "$scratch/$name/my results/summary.json" '"status": "done"'
    [[ -s $scratch/$name/my\ results/bars.png ]] || fail "no figure in $name"
    [[ $(column "$scratch/$name/my results/jobs.csv" alone_s | grep -c .) -eq 2 ]] || fail "no alone times in $name"
done
expect_status 2 "${run[@]}" "${small[@]}" --out="$scratch/x" --set=name=$'\xff'
expect_text "$scratch/err" '^--set: /name: .*UTF-8'
[[ ! -e $scratch/x ]] || fail "bad input left a folder"

# No room for a file: that is said, and no summary claims that all is there.
(ulimit -f 1 && "${run[@]}" "${small[@]}" --out="$scratch/full") >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
[[ $status -eq 1 ]] || fail "without room a run ends with $status"
expect_text "$scratch/err" '^cannot write ".*": File too large$'
[[ ! -e $scratch/full/summary.json ]] || fail "a run without room has a summary"
[[ -z $(find "$scratch/full" -name '*.part' -o -name '.*' -type f -o -name '.alone') ]] || fail "something is left over"

# A capture without room is said, too; the other results stand.
(ulimit -f 300 && "${run[@]}" two-jobs-one-link --quiet --set=output.figures=false --set=output.alone=false \
    --set=output.pcap=true --set=scale.model=0.1 --out="$scratch/capture") >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
[[ $status -eq 1 ]] || fail "a run with a cut capture ends with $status"
expect_text "$scratch/err" '^error: capture: cannot write all packets to .*pcap'
expect_text "$scratch/capture/summary.json" '"status": "done"'
[[ $(column "$scratch/capture/jobs.csv" jct_s | grep -c .) -eq 2 ]] || fail "a cut capture cost the jobs' rows"

# Output that is lost is said, by every program.
for program in "ddl-list policies" "ddl-run --help" "ddl-check two-jobs-one-link" \
    "ddl-run two-jobs-one-link --set=scale.model=0.1 --set=output.alone=false --set=output.figures=false --out=$scratch/told" \
    "ddl-compare two-jobs-one-link --set=scale.model=0.1 --set=output.alone=false --seeds=2 --out=$scratch/compared"; do
    # shellcheck disable=SC2086
    "$DDL_BUILD"/$program >/dev/full 2>"$scratch/err" </dev/null
    status=$?
    [[ $status -eq 1 ]] || fail "$program ends with $status on a full disk"
    expect_text "$scratch/err" '^cannot write to standard output'
done
expect_text "$scratch/told/summary.json" '"status": "done"'

# A folder that vanishes in mid-run: status 1 and a word, never a crash.
"${run[@]}" "${long[@]}" --set=stop.time=100s --out="$scratch/gone" >/dev/null 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "it simulated" catches_interrupts "$child"
rm -rf "$scratch/gone"
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 1 ]] || fail "a run without its folder ends with $status"
expect_text "$scratch/err" '^cannot write "'

has_files() {
    [[ -n $(ls -A "$1" 2>/dev/null) ]]
}

# Two runs into one folder: the second is refused, and the first comes to its end. SIGTERM is Ctrl-C.
"${run[@]}" "${long[@]}" --out="$scratch/one" >/dev/null 2>"$scratch/first" </dev/null &
child=$!
wait_until "$child" "it simulated" catches_interrupts "$child"
wait_until "$child" "it wrote a file" has_files "$scratch/one" # the folder is its own by then
expect_status 1 "${run[@]}" "${small[@]}" --out="$scratch/one"
expect_text "$scratch/err" 'another run is writing to the folder ".*"; give this one another with --out'
kill -TERM "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "SIGTERM ends a run with $status: $(cat "$scratch/first")"
expect_text "$scratch/one/summary.json" '"status": "interrupted"'

# Ctrl-C during the runs alone: what the run itself measured is kept; nothing goes on behind it. The
# second job's run alone takes long enough to be met; the first one's can be over within one look.
"${run[@]}" two-jobs-one-link --quiet --out="$scratch/alone" --set=workload.jobs.1.iterations=60 \
    --set=transport.mtu=9000 >/dev/null 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "the runs alone" test -e "$scratch/alone/.alone/1"
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "Ctrl-C in the runs alone ends with $status"
expect_text "$scratch/alone/summary.json" '"status": "interrupted"'
expect_text "$scratch/alone/summary.json" '"unfinished": \[\]'
[[ $(column "$scratch/alone/jobs.csv" jct_s | grep -c .) -eq 2 ]] || fail "jobs are missing after Ctrl-C"
[[ ! -e $scratch/alone/.alone ]] || fail "scratch of the runs alone is left over"
pgrep -f -- "--out=$scratch/alone" >/dev/null && fail "runs alone go on"

# Sizes and rates at the edges of the types do not get through as something else.
for setting in workload.jobs.0.model.bytes=9223372036854775809B workload.jobs.0.iterations=1000000000000001 \
    workload.jobs.0.submit=300y seed=4294967296 scale.model=1e7 cluster.topology.hosts=65537; do
    expect_status 2 "${run[@]}" "${small[@]}" --out="$scratch/x" --set="$setting"
    expect_text "$scratch/err" '^--set: /'
done
[[ ! -e $scratch/x ]] || fail "bad input left a folder"
finish
