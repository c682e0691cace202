#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A project of its own builds against the installed module, and against the build folder.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"

cmake --install "$DDL_BUILD" --prefix "$PWD/prefix" >install.log

cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES CXX)
find_package(ddl REQUIRED)
add_executable(consumer consumer.cc)
target_include_directories(consumer BEFORE PRIVATE no-json) # whoever includes it fails
target_link_libraries(consumer ddl::ddl)
add_executable(script script.cc)
target_include_directories(script BEFORE PRIVATE no-json)
target_link_libraries(script ddl::ddl)
TEXT
cat >script.cc <<'TEXT'
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

void
PrintEnd(Ptr<Job> job, bool)
{
    std::cout << "job " << job->GetId() << " ended after " << job->GetIterationsDone() << ' ';
}

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);
    auto fabric = CreateObject<Fabric>();
    auto top = fabric->AddSwitch("top");
    for (uint32_t host = 0; host < 2; ++host)
    {
        fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->ComputeRoutes();
    fabric->InstallStack();
    ClusterHelper helper;
    helper.SetTransport("rdma", "AckInterval", UintegerValue(2));
    helper.SetPlacement("ns3::ddl::LwfPlacementPolicy");
    helper.SetGpus(1);
    auto cluster = helper.Install(fabric);
    Config::ConnectWithoutContext("/TrainingCluster/JobObserver/JobEnd", MakeCallback(&PrintEnd));
    RunRecorder recorder(cluster);
    JobSpec job;
    job.model.bytes = 1000000;
    job.workers = 2;
    cluster->Submit(job, {3}, Seconds(0));
    Simulator::Run();
    WriteResults("results", RunIdentity(), recorder.TakeResult());
    Simulator::Destroy();
    try
    {
        helper.SetTransport("rmda");
    }
    catch (const InputError& error)
    {
        std::cout << error.what() << '\n';
    }
}
TEXT
cat >consumer.cc <<'TEXT'
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-scenario-reader.h"

#include "ns3/simulator.h"

#include <iostream>

int
main()
{
    std::cout << ns3::ddl::NearestName("groupper", {"sptf", "grouper"}) << ' '
              << ns3::ddl::Policy::GetTypeId().GetName() << ' ' << ns3::Simulator::Now() << ' '
              << ns3::ddl::ReadScenario({"two-jobs-one-link"}).cluster.gpus << '\n';
}
TEXT

mkdir -p no-json/nlohmann
echo '#error "our headers include nlohmann/json"' >no-json/nlohmann/json.hpp

build_and_run() {
    rm -rf "$1"
    cmake -S . -B "$1" -G Ninja "$2" >"$1.log" 2>&1 && cmake --build "$1" >>"$1.log" 2>&1 || {
        cat "$1.log"
        exit 1
    }
    answer=$("$1/consumer")
    echo "$1: $answer"
    test "$answer" = "grouper ns3::ddl::Policy +0ns 2"
    rm -rf results
    answer=$("$1/script")
    echo "$1: $answer"
    test "$answer" = 'job 1 ended after 3 unknown transport "rmda" (one of fluid, rdma, tcp); did you mean "rdma"?'
    test "$(wc -l <results/jobs.csv)" -eq 2
    grep -q '"status": "done"' results/summary.json
}

build_and_run against-prefix "-DCMAKE_PREFIX_PATH=$PWD/prefix"
test -f prefix/include/ns3/ddl-error.h
build_and_run against-build "-Dddl_DIR=$DDL_BUILD"

# ddl-module.h includes what an in-tree build's does: each header of the module, once.
find prefix/include/ns3 -name 'ddl-*.h' ! -name ddl-module.h -printf '%f\n' | sort >installed
sed -n 's/^#include <ns3\/\(.*\)>$/\1/p' prefix/include/ns3/ddl-module.h | sort >included
cmp installed included

# What the commands are made of is private: no header of it is installed, and the library shows none
# of its symbols but ReadScenario.
for header in "$DDL_HOME"/app/*/*.h; do
    test ! -e "prefix/include/ns3/${header##*/}" || { echo "installed: $header"; exit 1; }
done
helpers=$(find "$DDL_HOME/helper" -name '*.h' | wc -l)
test "$helpers" -le 6 || { echo "$helpers public headers in helper/, not 6 at most"; exit 1; }
nm -DC --defined-only prefix/lib/*/libddl.so >symbols 2>/dev/null || nm -DC --defined-only prefix/lib/libddl.so >symbols
grep -q ' ns3::ddl::ReadScenario(' symbols
classes=$(sed -n 's/^\(class\|struct\) \([A-Za-z]*\).*/\2/p' "$DDL_HOME"/app/*/*.h | sort -u | paste -sd'|')
# (A sanitized library has templates of std that an optimised one inlines; nobody installs it.)
if ! grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" &&
    grep -E "nlohmann|ns3::ddl::($classes)(::|\(| |$)" symbols; then
    echo "the library shows private symbols"
    exit 1
fi

# Scenarios by name without DDL_HOME: the installed ones, also after the prefix has moved, and in the
# build folder those of the sources. DDL_HOME goes before all of them.
first_home() {
    env -u DDL_HOME ${2:+DDL_HOME="$2"} "$1" scenarios | sed -n 's/^  \([^ ]*\) .*/\1/p' | head -n 1
}
mv prefix moved
mkdir -p moved/share/ddl/scenarios/a-installed mine/scenarios/a-mine
for folder in moved/share/ddl/scenarios/a-installed mine/scenarios/a-mine; do
    echo '{"description": "for this test"}' >"$folder/scenario.json"
done
test "$(first_home moved/bin/ddl-list)" = a-installed
test "$(first_home moved/bin/ddl-list "$PWD/mine")" = a-mine
env -u DDL_HOME "$DDL_BUILD/ddl-list" scenarios | grep -q '^  quickstart '
env -u DDL_HOME moved/bin/ddl-check quickstart --quiet
env -u DDL_HOME moved/bin/ddl-check quickstart --quiet --set=cluster=two-racks
env -u DDL_HOME "$DDL_BUILD/ddl-check" quickstart --quiet
echo "scenarios are found by name"
