#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module inside an ns-3 source tree, by waf (ns-3.35 and older): links this checkout to
# NS3/contrib/ddl, configures the tree again as it was, and with the module, builds library and
# programs, and runs scenarios/two-jobs-one-link. Where the standalone build is there (DDL_BUILD, or
# build/ of this checkout), both runs must give the same jobs.csv, byte by byte.
#
#   test/builds/waf.sh NS3 [JOBS]
#
# NS3    an ns-3 source tree that is configured and built (./waf configure -d release; ./waf build)
# JOBS   compilers at a time; 2
#
# This waf needs a Python below 3.12. Exit status: 0 built and run; 1 not; 2 usage.

source "$(dirname -- "$0")/in-tree.bash"
[[ -x $ns3/waf ]] || usage "$ns3 is no ns-3 source tree with waf"
lock=$(compgen -G "$ns3/.lock-waf*_build" | head -n 1) || usage "$ns3 is not configured"
link_checkout

# The arguments of the last `./waf configure`; a list of modules gets ours, too.
mapfile -t arguments < <(python3 - "$lock" <<'PYTHON'
import ast
import sys

with open(sys.argv[1], encoding='utf-8') as file:
    argv = next(line.partition('=')[2].strip() for line in file if line.startswith('argv ='))
for word in ast.literal_eval(argv)[1:]:
    listed = word.startswith('--enable-modules=') and 'ddl' not in word.split('=')[1].split(',')
    print(word + ',ddl' if listed else word)
PYTHON
)
cd -- "$ns3"
./waf "${arguments[@]}"
./waf build -j "$jobs"

./waf --run-no-build "ddl-run two-jobs-one-link --out=$out/in-tree"
same=$(compare_with_standalone)
printf 'ns-%s in-tree, waf, %s%s\n' "$(<VERSION)" "${arguments[*]}" "$same"
