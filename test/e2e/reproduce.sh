#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A paper of one figure: runs, report, resumption, interruption, and what is said of wrong input.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

export DDL_HOME=$scratch/home
folder=$DDL_HOME/scenarios/tiny-fig-01
mkdir -p "$folder"
cat >"$folder/scenario.json" <<'JSON'
{
  "name": "tiny-fig-01",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 2}, "hosts": {"gpus": 1}},
  "workload": {"jobs": [{"model": {"bytes": "200kB", "forward": "20ms"}, "workers": 2, "iterations": 1}]},
  "output": {"alone": false, "figures": false}
}
JSON
figure() { # VARIED: the figure with these values of the job's iterations
    cat >"$folder/figure.json" <<JSON
{
  "paper": "tiny", "figure": "Fig. 1", "title": "twice the work", "claim": "It takes twice as long.",
  "comparisons": [{"name": "work", "vary": {"workload.jobs.0.iterations": [$1]}, "seeds": 2,
                   "quick": {"vary": {"workload.jobs.0.iterations": [1, 2]}}}],
  "values": [{"name": "two over one", "metric": "jct_s", "of": {"workload.jobs.0.iterations": "2"},
              "over": {"workload.jobs.0.iterations": "1"}, "published": 1, "source": "Fig. 1"},
             {"name": "most", "metric": "jct_s", "over": {"workload.jobs.0.iterations": "1"},
              "sweep": "workload.jobs.0.iterations", "pick": "greatest"}],
  "orders": [{"name": "JCT", "metric": "jct_s", "key": "workload.jobs.0.iterations", "ascending": [2, 1], "source": "nowhere"}],
  "pictures": ["load-sweep"]
}
JSON
}
reproduce=("$DDL_BUILD/ddl-reproduce" --jobs=2)
out=--out=$scratch/results

# Twice the iterations take twice the time: a compute time of 20 ms is the most of each.
# A row of expected values that is missed is status 1, and said.
figure '1, 2, 3'
expected() { # MOST: expected.csv, with this for the greatest of the sweep
    printf 'variant,value,expected,tolerance,source\nfull,two over one,1,0.01,twice the work\nfull,most,%s,0.5,right or wrong\nquick,most,1,0.01,not asked for\n' \
        "$1" >"$folder/expected.csv"
}
expected 0
expect_status 1 "${reproduce[@]}" "$out" tiny
expect_text "$scratch/err" '^Fig. 1, not as expected: most is [12]\..*expected 0.* within 0.500 \(right or wrong\)'
report=$scratch/results/report.txt
expect_text "$report" '^twice the work$'
expect_text "$report" 'two over one +\+100.0 % +\+(99|100)\.[0-9] ± 0.0 % \(2 +'
expect_text "$report" 'most \(at 3\) +- +\+(199|200)\.[0-9] '
expect_text "$report" 'The order differs:.*JCT: 1 before 2'
expect_text "$report" '1 of 2 rows of expected.csv are met'
expect_text "$report" '^! most is [12]\..*, expected 0'
expect_text "$report" 'work: scenario .* 6 of 6 '
expect_text "$scratch/out" 'Fig. 1 +two over one +\+100.0 %'
measured=$scratch/results/tiny-fig-01/expected.csv
expect_text "$measured" '^full,two over one,1,0.01,,twice the work$'
expect_text "$measured" '^full,two over one,(0\.99|1)[.0-9]*,,0[.0-9e-]*,measured$'
expect_text "$scratch/out" 'OTHER ORDER'
[[ -s $scratch/results/tiny-fig-01/load-sweep.gp ]] || fail "no script of the picture"

# Again: nothing runs, and the report is the same.
stamps() { (cd "$scratch/results/tiny-fig-01/work/runs" && stat --format='%n %y' */summary.json); }
stamps >"$scratch/before"
expected 2
grep -v '[Ee]xpected\|^$' "$report" >"$scratch/report"
expect_status 0 "${reproduce[@]}" "$out" tiny --quiet
[[ ! -s $scratch/out && ! -s $scratch/err ]] || fail "--quiet is not quiet"
stamps | cmp - "$scratch/before" || fail "finished runs were run again"
expect_text "$report" '2 of 2 rows of expected.csv are met'
grep -v '[Ee]xpected\|^$' "$report" | cmp - "$scratch/report" || fail "another report of the same runs"

# Results that are gone are made anew, and no others.
rm "$scratch/results/tiny-fig-01/work/runs/iterations=2_seed=1/jobs.csv"
expect_status 0 "${reproduce[@]}" "$out" tiny --quiet
[[ $(stamps | comm -13 "$scratch/before" - | grep -c .) -eq 1 ]] || fail "a run without its files was kept, or others were not"
stamps >"$scratch/before"

# One more value: the finished runs are kept. --quick keeps its own.
rm "$folder/expected.csv"
figure '1, 2, 3, 4'
expect_status 0 "${reproduce[@]}" "$out" tiny --figure=1
expect_text "$report" 'work: scenario .* 8 of 8 '
stamps | comm -12 - "$scratch/before" | cmp - "$scratch/before" || fail "finished runs were run again"
expect_status 0 "${reproduce[@]}" "$out" tiny --quick
expect_text "$report" 'Quick'
expect_text "$report" 'work: scenario .* 4 of 4 '

# --all: one seed and one value more, in the same folder; the default set's runs are kept, either way.
figure '1, 2, 3, 4'
sed -i 's/"seeds": 2,/"seeds": 2, "price": 60, "all": {"seeds": 3, "vary": {"workload.jobs.0.iterations": [1, 2, 3, 4, 5]}},/' \
    "$folder/figure.json"
stamps >"$scratch/before"
expect_status 0 "${reproduce[@]}" "$out" tiny --all
expect_text "$scratch/err" 'forecast: 15 runs, 8 of them finished; 7 to run, about 3\.0 CPU minutes, 1\.5 with 2'
expect_text "$report" '^./ddl reproduce tiny --all$'
expect_text "$report" '^All: every seed'
expect_text "$report" 'work: scenario .* 15 of 15 '
expect_text "$report" 'most \(at 5\) .*\(3 seeds\)'
stamps | comm -12 - "$scratch/before" | cmp - "$scratch/before" || fail "--all ran finished runs again"
expect_text "$scratch/results/report.html" 'All: every seed'
stamps >"$scratch/before"
expect_status 0 "${reproduce[@]}" "$out" tiny
expect_text "$report" '^Default set: --all has more seeds or values of 1 comparison'
expect_text "$report" 'work: scenario .* 8 of 8 '
stamps | cmp - "$scratch/before" || fail "the default set after --all ran finished runs again"
expect_status 0 "${reproduce[@]}" "$out" tiny --all
expect_text "$scratch/err" 'forecast: 15 runs, 15 of them finished; 0 to run$'
expect_status 2 "${reproduce[@]}" "$out" tiny --all --quick
expect_text "$scratch/err" '^--quick: runs less than usual, and --all more: choose one'

# A run that fails does not lose the others.
figure '1, 2, 3, 4'
expect_status 0 "${reproduce[@]}" "$out" tiny
sed -i 's/"quick"/"set": {"stop.time": "45ms"}, "quick"/' "$folder/figure.json"
expect_status 1 "${reproduce[@]}" "$out" tiny
expect_text "$report" 'Incomplete:.*4 of 8 runs'
expect_text "$report" 'two over one +\+100.0 %'

# Ctrl-C: 130, children stopped, a report; then the rest.
figure '1, 2, 3, 4000, 4001, 4002'
"${reproduce[@]}" tiny --out="$scratch/stopped" >"$scratch/out" 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "some runs were over" \
    test -e "$scratch/stopped/tiny-fig-01/work/runs/iterations=3_seed=1/summary.json"
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "an interrupted reproduction ends with $status"
expect_text "$scratch/err" 'goes on where it was'
expect_text "$scratch/stopped/report.txt" 'Incomplete:'
figure '1, 2, 3'
expect_status 0 "${reproduce[@]}" tiny --out="$scratch/stopped"
expect_text "$scratch/stopped/report.txt" 'work: scenario .* 6 of 6 '

# Two figures, one call each: the report has both, in their order; the terminal only the one asked for.
cp -r "$folder" "$DDL_HOME/scenarios/tiny-fig-02"
sed -i 's/"Fig. 1", "title": "twice the work"/"Fig. 2", "title": "twice again"/; s/"quick": {[^}]*}}/"quick": {}/' \
    "$DDL_HOME/scenarios/tiny-fig-02/figure.json"
expect_status 0 "$DDL_BUILD/ddl-list" papers
expect_text "$scratch/out" '^  tiny +all its figures'
expect_text "$scratch/out" '^  tiny --figure=tiny-fig-02 +Fig. 2: twice again$'
for number in 2 1; do
    expect_status 0 "${reproduce[@]}" tiny --figure="$number" --out="$scratch/two"
done
[[ $(grep '^twice' "$scratch/two/report.txt") == $'twice the work\ntwice again' ]] ||
    fail "the report has: $(grep '^twice' "$scratch/two/report.txt")"
if grep -q 'Fig. 2' "$scratch/out"; then fail "the terminal shows a figure that was not asked for"; fi
# Each set of runs is reported by itself, also of the figure that was not asked for.
sed -i 's/"seeds": 2,/"seeds": 2, "all": {"seeds": 3, "vary": {"workload.jobs.0.iterations": [1, 2, 3, 4, 5]}},/' \
    "$folder/figure.json" "$DDL_HOME/scenarios/tiny-fig-02/figure.json"
printf 'variant,value,expected,tolerance,source\nall,most,4,0.1,closed form\n' \
    >"$DDL_HOME/scenarios/tiny-fig-02/expected.csv"
expect_status 0 "${reproduce[@]}" tiny --all --figure=1 --out="$scratch/two"
expect_text "$scratch/two/report.txt" 'work: scenario .* 15 of 15 '
expect_text "$scratch/two/report.txt" 'work: scenario .* 6 of 15 '
expect_text "$scratch/two/report.txt" 'earlier calls have not run all runs of this set; ./ddl'
expect_text "$scratch/two/report.txt" '--figure=tiny-fig-02 does'
if grep -q 'Not as expected' "$scratch/two/report.txt"; then fail "a row of runs that were not asked for is missed"; fi
expect_status 0 "${reproduce[@]}" tiny --figure=2 --out="$scratch/two"
[[ $(grep -c 'work: scenario .* 6 of 6 ' "$scratch/two/report.txt") -eq 2 ]] || fail "sets of runs are mixed"
expect_text "$scratch/two/report.txt" 'most \(at 3\) .*\(2 seeds\)'
rm -r "$DDL_HOME/scenarios/tiny-fig-02"

# Wrong input: all complaints at once, exit status 2, nothing written.
rm -rf "$scratch/results"
expect_status 2 "${reproduce[@]}" "$out" tinny
expect_text "$scratch/err" 'no paper "tinny" \(one of tiny\); did you mean "tiny"'
expect_status 2 "${reproduce[@]}" "$out" tiny --figure=7,tiny-fig-02
expect_text "$scratch/err" 'no "7" \(one of tiny-fig-01\)'
expect_text "$scratch/err" 'did you mean tiny-fig-01'
expect_status 2 "${reproduce[@]}" "$out"
expect_status 2 "${reproduce[@]}" "$out" tiny --jobs=0
sed -e 's/"seeds": 2/"seeds": 0/' -e 's/"title"/"tittle"/' "$folder/figure.json" >"$scratch/wrong"
cp "$scratch/wrong" "$folder/figure.json"
expect_status 2 "${reproduce[@]}" "$out" tiny
expect_text "$scratch/err" 'figure.json:3: /comparisons/0/seeds: must be a whole number from 1'
expect_text "$scratch/err" '/tittle: unknown key .*did you mean "title"'
figure '1, 2, 3'
printf 'variant,value,expected,tolerance,source\nslow,two over one,1,0.01,x\nfull,two over on,1,0.01,x\nfull,most,,0.1,x\n' \
    >"$folder/expected.csv"
expect_status 2 "${reproduce[@]}" "$out" tiny
expect_text "$scratch/err" 'expected.csv:2: the variant is "slow"'
expect_text "$scratch/err" 'expected.csv:3: .* did you mean "two over one"'
expect_text "$scratch/err" 'expected.csv:4: "most" needs a number'
rm "$folder/expected.csv"
figure '1, 2, -3'
expect_status 2 "${reproduce[@]}" "$out" tiny
expect_text "$scratch/err" 'tiny-fig-01: --vary: /workload/jobs/0/iterations'
[[ ! -e $scratch/results ]] || fail "bad input left results"

expect_status 0 "$DDL_BUILD/ddl-reproduce" --help
expect_text "$scratch/out" 'PAPER .*one of tiny'
finish
