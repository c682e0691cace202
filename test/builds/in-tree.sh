#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module inside an ns-3 source tree, by CMake (ns-3.36 and newer): links this checkout to
# NS3/contrib/ddl, builds library, programs and, where the tree has them on, examples, and runs
# scenarios/two-jobs-one-link through ./ns3. A compiler's warning about the module is an error. Where
# the standalone build is there (DDL_BUILD, or build/ of this checkout), both runs must give the same
# jobs.csv, byte by byte.
#
#   test/builds/in-tree.sh NS3 [JOBS]
#
# NS3    an ns-3 source tree that is configured and built (./ns3 configure -d release; ./ns3 build).
#        Its profile, standard and options stay as they are; if it builds only some modules, they
#        have to hold core, network, internet, applications, point-to-point and traffic-control.
# JOBS   compilers at a time; 2
#
# Exit status: 0 built and run; 1 not; 2 usage.

source "$(dirname -- "$0")/in-tree.bash"
cache=$ns3/cmake-cache
[[ -x $ns3/ns3 && -f $cache/CMakeCache.txt ]] || usage "$ns3 is no configured ns-3 source tree"
link_checkout

# An empty list means all modules, ours among them.
modules=$(sed -n 's/^NS3_ENABLED_MODULES:[A-Z]*=//p' "$cache/CMakeCache.txt")
[[ -z $modules || ";$modules;" == *';ddl;'* ]] || modules="$modules;ddl"
cmake -S "$ns3" -B "$cache" "-DNS3_ENABLED_MODULES=$modules"
cmake --build "$cache" -j "$jobs" 2>&1 | tee "$out/build.log"
if grep -E '(contrib/ddl|'"$checkout"'|ns3/ddl-)[^ ]*: warning:' "$out/build.log" >&2; then
    echo 'in-tree.sh: the compiler warned of the module' >&2
    exit 1
fi

cd -- "$ns3"
./ns3 run "ddl-run two-jobs-one-link --out=$out/in-tree"
same=$(compare_with_standalone)

setting() { sed -n "s/^$1:[A-Z]*=//p" "$cache/CMakeCache.txt"; }
printf '%s in-tree, %s, %s, C++%s%s\n' "ns-$(<"$ns3/VERSION")" "$(setting CMAKE_BUILD_TYPE)" \
    "$(basename "$(setting CMAKE_CXX_COMPILER)") $("$(setting CMAKE_CXX_COMPILER)" -dumpfullversion)" \
    "$(grep -ohE -- '-std=(c|gnu)\+\+[0-9]+' "$cache/build.ninja" | sort -u | grep -oE '[0-9]+$' | tail -n 1)" \
    "$same"
