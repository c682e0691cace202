# SPDX-License-Identifier: GPL-2.0-only
# Shared by the end-to-end tests: a scratch folder that goes away, and checks that say what they saw.
# DDL_BUILD is the build folder.

set -u -o pipefail
export LC_ALL=C.UTF-8
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
export DDL_HOME=${DDL_HOME:-$(dirname -- "$(dirname -- "$here")")}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    failures=$((failures + 1))
}

finish() {
    [[ $failures -eq 0 ]] || { printf '%d checks failed\n' "$failures" >&2; exit 1; }
    printf 'all checks passed\n'
}

# expect_status WANTED COMMAND...: runs it with output in $scratch/out and $scratch/err
expect_status() {
    local wanted=$1 status
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [[ $status -eq $wanted ]] || {
        fail "$* ended with $status instead of $wanted:"
        head -n 20 "$scratch/err" >&2
    }
}

# expect_text FILE REGEX: some line matches
expect_text() {
    grep -qE -- "$2" "$1" || {
        fail "no line matches '$2' in:"
        head -n 20 "$1" >&2
    }
}

# wait_until PID WHAT COMMAND...: until the command succeeds, however long that takes (ctest has a limit
# of time), or process PID, which is to bring it about, has ended
wait_until() {
    local pid=$1 what=$2
    shift 2
    until "$@"; do
        kill -0 "$pid" 2>/dev/null || { fail "process $pid ended before $what"; return; }
        sleep 0.05
    done
}

# catches_interrupts PID: it has a handler for SIGINT. ddl-run installs it when it has made its folder
# and locked it, just before it simulates. A shell that is about to become the program has one, too.
catches_interrupts() {
    local mask
    [[ $(readlink "/proc/$1/exe") != "$(readlink /proc/$$/exe)" ]] || return 1
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    (((0x0$mask & 2) != 0))
}

# column FILE NAME: the values of a column of a CSV file
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next }
                          c { print $c }' "$1"
}

# expect_values COMPARE.CSV EXPECTED.CSV COUNT: each of the COUNT rows of EXPECTED (run, metric,
# expected, tolerance) is met by that run's metric
expect_values() {
    awk -F, -v count="$3" '
        FNR == 1 { file += 1; if (file == 1) for (i = 1; i <= NF; ++i) name[i] = $i; next }
        file == 1 { for (i = 1; i <= NF; ++i) value[$1 "," name[i]] = $i; next }
        { rows += 1; got = value[$1 "," $2]; gap = got / $3 - 1
          printf "%s: %s %s, expected %s, gap %+.2f %% of at most %g %%\n", $1, $2, got, $3, gap * 100, $4 * 100
          if (got == "" || gap > $4 || gap < -$4) bad = 1 }
        END { exit bad || rows != count }' "$1" "$2" || fail "$1 is not as $2 expects"
}
