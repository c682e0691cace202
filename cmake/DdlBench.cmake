# SPDX-License-Identifier: GPL-2.0-only
# The benchmark: ddl-bench starts ddl-bench-case, once for each case and repetition. ddl-bench-events
# measures event lists by themselves. And studies, which are built on demand: `./ddl study`.

set(ddl_bench_common
    bench/ddl-bench-fabric.cc
    bench/ddl-bench-stock.cc
    bench/ddl-bench-work.cc
)
add_library(ddl-bench-common STATIC ${ddl_bench_common})
target_include_directories(ddl-bench-common PUBLIC "${ddl_root}" "${ddl_root}/bench")
target_link_libraries(ddl-bench-common PUBLIC ddl-reader ddl PRIVATE ${ddl_third_party_libraries})
ddl_settings(ddl-bench-common)
ddl_precompile(ddl-bench-common REUSE_FROM ddl)

# What a run of each network scheduler costs.
ddl_add_program(ddl-bench-schedulers bench/ddl-bench-schedulers.cc)
ddl_precompile(ddl-bench-schedulers REUSE_FROM ddl)

# What contention between all-reduces costs, and whether gates decide well (doc/gates.md).
ddl_add_program(ddl-gate-study studies/ddl-gate-study.cc)
ddl_precompile(ddl-gate-study REUSE_FROM ddl)

# How long a permutation takes on one path, on many, and on those that work (doc/paths.md).
ddl_add_program(ddl-path-study studies/ddl-path-study.cc)
ddl_precompile(ddl-path-study REUSE_FROM ddl)

# How near each part of Crux is to the best (doc/crux.md).
ddl_add_program(ddl-crux-study studies/ddl-crux-study.cc)
ddl_precompile(ddl-crux-study REUSE_FROM ddl)
target_sources(ddl-crux-study PRIVATE studies/ddl-crux-optimum.cc studies/ddl-small-cluster.cc)
target_include_directories(ddl-crux-study PRIVATE "${ddl_root}/studies")

# Ada-SRSF's own simulation, slot by slot (scenarios/ada-srsf-table-5).
ddl_add_program(ddl-slotted-study studies/ddl-slotted-study.cc)
ddl_precompile(ddl-slotted-study REUSE_FROM ddl)
target_sources(ddl-slotted-study PRIVATE studies/ddl-slotted-cluster.cc)
target_include_directories(ddl-slotted-study PRIVATE "${ddl_root}/studies")

# The allocator of Dally's authors, with and without its slip (doc/dally.md).
ddl_add_program(ddl-offer-study studies/ddl-offer-study.cc)
ddl_precompile(ddl-offer-study REUSE_FROM ddl)
target_sources(ddl-offer-study PRIVATE studies/ddl-offer-cluster.cc studies/ddl-offer-workload.cc)
target_include_directories(ddl-offer-study PRIVATE "${ddl_root}/studies")

# Dally, Table I, layer by layer (scenarios/dally-table-1).
ddl_add_program(ddl-layer-study studies/ddl-layer-study.cc)
ddl_precompile(ddl-layer-study REUSE_FROM ddl)
target_sources(ddl-layer-study PRIVATE studies/ddl-layer-cases.cc)
target_include_directories(ddl-layer-study PRIVATE "${ddl_root}/studies")

# What could a simulator skip inside transfers? (doc/steady.md)
ddl_add_program(ddl-steady-study studies/ddl-steady-study.cc)
ddl_precompile(ddl-steady-study REUSE_FROM ddl)
target_sources(ddl-steady-study PRIVATE studies/ddl-steady-recorder.cc studies/ddl-steady-stretch.cc)
target_include_directories(ddl-steady-study PRIVATE "${ddl_root}/studies")

# Carries out the runs of studies that are scripts (doc/full-size.md).
ddl_add_program(ddl-study-runs studies/ddl-study-runs.cc)
ddl_precompile(ddl-study-runs REUSE_FROM ddl)
target_link_libraries(ddl-study-runs PRIVATE ddl-app-studies)

# Grouper's problem, solved exactly for small cases (doc/certificates.md). The solver is a program of
# its own: GLPK is GPL-3, ns-3 is GPL-2.
add_executable(ddl-lp-instances test/exact/ddl-lp-instances.cc)
target_link_libraries(ddl-lp-instances PRIVATE ddl)
ddl_settings(ddl-lp-instances)
# Likewise the matchings of Sched_Allox (doc/hare.md).
add_executable(ddl-matching-instances test/exact/ddl-matching-instances.cc)
target_link_libraries(ddl-matching-instances PRIVATE ddl)
ddl_settings(ddl-matching-instances)
find_library(DDL_GLPK glpk)
find_path(DDL_GLPK_INCLUDE glpk.h)
mark_as_advanced(DDL_GLPK DDL_GLPK_INCLUDE)
if(DDL_GLPK AND DDL_GLPK_INCLUDE)
  foreach(solver ddl-lp-primal ddl-matching-optimum)
    add_executable(${solver} test/exact/${solver}.cc)
    target_include_directories(${solver} PRIVATE "${DDL_GLPK_INCLUDE}")
    target_link_libraries(${solver} PRIVATE "${DDL_GLPK}")
    ddl_settings(${solver})
  endforeach()
endif()

# Regression forests beside dlib's (doc/liquid.md), which brings BLAS and pictures along.
add_executable(ddl-forest-instances test/exact/ddl-forest-instances.cc)
target_link_libraries(ddl-forest-instances PRIVATE ddl)
ddl_settings(ddl-forest-instances)
find_library(DDL_DLIB dlib)
find_path(DDL_DLIB_INCLUDE dlib/random_forest.h)
mark_as_advanced(DDL_DLIB DDL_DLIB_INCLUDE)
if(DDL_DLIB AND DDL_DLIB_INCLUDE)
  find_package(Threads REQUIRED)
  add_executable(ddl-forest-dlib test/exact/ddl-forest-dlib.cc)
  target_include_directories(ddl-forest-dlib SYSTEM PRIVATE "${DDL_DLIB_INCLUDE}")
  target_link_libraries(ddl-forest-dlib PRIVATE "${DDL_DLIB}" Threads::Threads)
  ddl_settings(ddl-forest-dlib)
endif()

foreach(program ddl-bench ddl-bench-case)
  ddl_add_program(${program} bench/${program}.cc)
  ddl_precompile(${program} REUSE_FROM ddl)
  target_link_libraries(${program} PRIVATE ddl-bench-common)
endforeach()
target_sources(ddl-bench PRIVATE bench/ddl-bench-pairs.cc)

ddl_add_program(ddl-bench-events bench/ddl-bench-events.cc)
ddl_precompile(ddl-bench-events REUSE_FROM ddl)

# What `./ddl bench` builds
add_custom_target(bench DEPENDS ddl-bench ddl-bench-case ddl-bench-events ddl-run)
