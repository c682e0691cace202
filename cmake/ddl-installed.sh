#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The commands of an installed ddl: those of ./ddl that need neither sources nor a build.
here=$(dirname -- "$(readlink -f -- "$0")")
command=${1:-}
commands='run compare reproduce report plot list check'
case " $commands " in
*" $command "*)
    shift
    exec "$here/ddl-$command" "$@"
    ;;
esac
case $command in
bench | study | test)
    echo "ddl: $command needs the sources: call ./ddl $command there" >&2
    exit 2
    ;;
'' | --help | -h | help)
    echo "usage: ddl COMMAND [ARGUMENT]...; COMMAND is one of $commands; ddl COMMAND --help tells more"
    [ -n "$command" ] || exit 2
    exit 0
    ;;
esac
echo "ddl: unknown command '$command' (one of $commands)" >&2
exit 2
