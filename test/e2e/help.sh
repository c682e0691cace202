#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `./ddl COMMAND --help` answers from a file, without installing or building; the file says what the
# program says.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

for program in "$DDL_HOME"/programs/*.cc "$DDL_HOME/bench/ddl-bench.cc"; do
    name=$(basename "$program" .cc)
    command=${name#ddl-}
    text=$DDL_HOME/programs/help/$command.txt
    expect_status 0 "$DDL_BUILD/$name" --help
    diff "$text" "$scratch/out" >&2 ||
        fail "programs/help/$command.txt is old: $name --help >programs/help/$command.txt"
    # a build folder that cannot be made, and no way to install: it is not looked at
    expect_status 0 env DDL_BUILD="$scratch/out/none" PATH=/usr/bin:/bin "$DDL_HOME/ddl" "$command" --help
    cmp -s "$text" "$scratch/out" || fail "./ddl $command --help prints something else"
    expect_status 0 env DDL_BUILD="$scratch/out/none" "$DDL_HOME/ddl" "$command" quickstart -h
done
expect_status 0 "$DDL_HOME/ddl" run --help
expect_text "$scratch/out" '^usage: ddl run SCENARIO'
finish
