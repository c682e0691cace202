#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# reproduce with GNU parallel, with --plan, detached and collected: the report and its numbers are those of
# the local engine. A paper of two figures with a comparison each, and one that both share.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
source "$here/engines.bash"

export DDL_HOME=$scratch/home
cd "$scratch" || exit 1
for number in 1 2; do
    folder=$DDL_HOME/scenarios/tiny-fig-$number
    mkdir -p "$folder"
    write_small
    sed 's/"iterations": 20/"iterations": 8/; s/"name": "small"/"name": "tiny-fig-'$number'"/' small.json >"$folder/scenario.json"
    cat >"$folder/figure.json" <<JSON
{
  "paper": "tiny", "figure": "Fig. $number", "title": "more work", "claim": "It takes longer.",
  "comparisons": [{"name": "work", "vary": {"workload.jobs.0.iterations": [4, 6]}, "seeds": 3}],
  "values": [{"name": "six over four", "metric": "jct_s", "of": {"workload.jobs.0.iterations": "6"},
              "over": {"workload.jobs.0.iterations": "4"}, "published": 0.5, "source": "Fig. $number"}]
}
JSON
done
reproduce=("$DDL_BUILD/ddl-reproduce" tiny --jobs=2 --quiet)
expect_status 0 "${reproduce[@]}" --out=local
plain() { # plain FILE: the report without its CPU times
    sed -E '/CPU/d; s/( [0-9]+ of [0-9]+) +[0-9.]+$/\1/' "$1"
}
expect_same() { # expect_same FOLDER WHEN: tables and report are the local ones
    local figure
    diff <(plain local/report.txt) <(plain "$1/report.txt") || fail "$2: the report is another one"
    for figure in tiny-fig-1 tiny-fig-2; do
        cmp "local/$figure/work/compare.csv" "$1/$figure/work/compare.csv" || fail "$2: $figure: the table is another one"
    done
}

# Lines that anybody can carry out; names are unique over all figures.
expect_status 0 "${reproduce[@]}" --out=planned --plan
[[ $(wc -l <planned/plan.txt) -eq 12 ]] || fail "$(wc -l <planned/plan.txt) lines instead of 12"
[[ $(grep -c '"name": "tiny-fig-[12]_work_' planned/plan.json) -eq 12 ]] || fail "names: $(grep '"name"' planned/plan.json)"
[[ $(grep '"name"' planned/plan.json | sort -u | wc -l) -eq 12 ]] || fail "names are not unique"
(cd / && sh "$scratch/planned/plan.txt") || fail "a line of the plan failed"
summaries() { stat --format='%n %i' "$1"/*/work/runs/*/summary.json; }
summaries planned >before
expect_status 0 "${reproduce[@]}" --out=planned
summaries planned | cmp - before || fail "planned runs were made again"
expect_same planned "planned"

parallel --version 2>/dev/null | grep -q GNU || {
    echo "not tried with GNU parallel: it is not here (Debian: apt-get install parallel)"
    finish
    exit
}
expect_status 0 "${reproduce[@]}" --out=far --engine=parallel
expect_same far "GNU parallel"

# Detached: all figures are submitted at once; another engine keeps its hands off; the same call collects.
expect_status 0 "${reproduce[@]}" --out=left --engine=parallel --detach
[[ $(grep -c 'submitted: ' "$scratch/err") -eq 2 ]] || fail "not both figures: $(cat "$scratch/err")"
[[ ! -e left/report.txt ]] || fail "a report before there are results"
expect_status 0 "${reproduce[@]}" --out=left --engine=parallel --resume
expect_same left "collected"
expect_no_files "collected"

# Interrupted, then continued by the local engine.
"${reproduce[@]}" --out=stopped --engine=parallel >out 2>err </dev/null &
child=$!
some_ended() { [[ -n $(find stopped -path '*/ended/*' 2>/dev/null) ]]; }
wait_until "$child" "a run was over" some_ended
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "an interrupted reproduction ends with $status"
expect_status 0 "${reproduce[@]}" --out=stopped
expect_same stopped "after Ctrl-C"
expect_no_files "after Ctrl-C"

# A study of many runs, by the same engines; one that is a single process says why it takes none.
small=(s00 s01)
study=(python3 "$here/../../studies/sampling.py")
if [[ -x $DDL_BUILD/ddl-study-runs ]]; then
    expect_status 0 env DDL_HOME="$(cd "$here/../.." && pwd)" "${study[@]}" study 1 "${small[@]}" --plan
    [[ $(wc -l <study/plan.txt) -eq 6 ]] || fail "the study has $(wc -l <study/plan.txt) runs instead of 6"
fi
expect_status 2 "$here/../../ddl" study steady --engine=slurm
expect_text "$scratch/err" 'study: --engine=slurm: steady is one process'
finish
