#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `./ddl test --part=K/N`: parts have no case in common, together they have all, and cost about the same;
# wrong parts are bad input. --only goes by the names of tests, not of cases.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

for part in 0/3 4/3 x 3 /3 1/ 1/0 -1/3 1/3/3 1.5/3 ''; do
    expect_status 2 "$DDL_HOME/ddl" test --part="$part"
    expect_text "$scratch/err" "^ddl: test: --part=$part is no part: K/N is part K of N"
done

choose() {
    expect_status 0 "$here/../choose-tests.sh" "$DDL_BUILD" "$@"
}

choose
sort "$scratch/out" >"$scratch/all"
[[ $(wc -l <"$scratch/all") -gt 200 ]] || fail "there are $(wc -l <"$scratch/all") cases"
for parts in 3 8; do
    : >"$scratch/together"
    : >"$scratch/costs"
    for ((part = 1; part <= parts; ++part)); do
        choose '' "$part/$parts"
        cat "$scratch/out" >>"$scratch/together"
        awk 'FILENAME == ARGV[1] { split($0, field, ","); cost[field[1]] = field[2]; next }
            { c = $2 in cost ? cost[$2] : 1; sum += c; if (c > most) most = c }
            END { print sum, most }' "$here/../costs.csv" "$scratch/out" >>"$scratch/costs"
    done
    sort "$scratch/together" | cmp -s - "$scratch/all" || fail "$parts parts are not all cases, each once"
    awk '{ sum += $1; if ($1 > dearest) dearest = $1; if ($2 > most) most = $2 }
        END { fair = 1.1 * sum / NR; exit dearest > (most > fair ? most : fair) }' "$scratch/costs" ||
        fail "$parts parts cost $(cut -d ' ' -f 1 "$scratch/costs" | tr '\n' ' ')"
done
cp "$scratch/out" "$scratch/last"
choose '' 8/8
cmp -s "$scratch/out" "$scratch/last" || fail "part 8 of 8 is another the second time"

choose 'ProcessStateTest\.AGuard'
[[ $(cut -d ' ' -f 2 "$scratch/out") == ProcessStateTest ]] || fail "one test chooses $(cat "$scratch/out")"
choose '^e2e/parts$|^PriorityTest\.'
[[ $(cut -d ' ' -f 2 "$scratch/out" | sort) == $'PriorityTest\ne2e/parts' ]] || fail "chosen: $(cat "$scratch/out")"
choose 'no such test'
[[ ! -s $scratch/out ]] || fail "what does not match is chosen"
DDL_TEST_ONLY='ProcessStateTest\.AGuard' expect_status 0 "$DDL_BUILD/ddl-tests" '--gtest_filter=ProcessStateTest.*'
expect_text "$scratch/out" '^\[  PASSED  \] 1 test\.'
ctest --test-dir "$DDL_BUILD" -N >"$scratch/numbers"
DDL_TEST_ONLY='^e2e/parts$' ctest --test-dir "$DDL_BUILD" -N | cmp -s - "$scratch/numbers" ||
    fail "cases have other numbers where a test is asked for"
DDL_TEST_ONLY='(' expect_status 2 "$DDL_BUILD/ddl-tests"
finish
