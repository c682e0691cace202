#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A project of its own builds against the installed module, and against the build folder.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"
export CMAKE_GENERATOR=Ninja # a bare machine has no make

cmake --install "$DDL_BUILD" --prefix "$PWD/prefix" >install.log

cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES CXX)
find_package(ddl REQUIRED)
add_executable(consumer consumer.cc)
target_link_libraries(consumer ddl::ddl)
TEXT
cat >consumer.cc <<'TEXT'
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"

#include "ns3/simulator.h"

#include <iostream>

int
main()
{
    std::cout << ns3::ddl::NearestName("groupper", {"sptf", "grouper"}) << ' '
              << ns3::ddl::Policy::GetTypeId().GetName() << ' ' << ns3::Simulator::Now() << '\n';
}
TEXT

build_and_run() {
    rm -rf "$1"
    cmake -S . -B "$1" "$2" >"$1.log" 2>&1 && cmake --build "$1" >>"$1.log" 2>&1 || {
        cat "$1.log"
        exit 1
    }
    answer=$("$1/consumer")
    echo "$1: $answer"
    test "$answer" = "grouper ns3::ddl::Policy +0ns"
}

build_and_run against-prefix "-DCMAKE_PREFIX_PATH=$PWD/prefix"
test -f prefix/include/ns3/ddl-error.h
build_and_run against-build "-Dddl_DIR=$DDL_BUILD"
