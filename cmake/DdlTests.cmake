# SPDX-License-Identifier: GPL-2.0-only
# Everything that `./ddl test` runs, as ctest cases: one a suite of GoogleTest, the room check, the examples,
# the papers' figures, and test/e2e/*.sh.

find_package(GTest REQUIRED)
find_package(Ns3 REQUIRED COMPONENTS flow-monitor) # a witness that is not ours
find_program(DDL_PYTHON python3 REQUIRED)
mark_as_advanced(DDL_PYTHON)
enable_testing()

set(ddl_test_work "${CMAKE_BINARY_DIR}/test-work")
file(MAKE_DIRECTORY "${ddl_test_work}")
set(ddl_test_environment
    "DDL_HOME=${ddl_root}" "DDL_BUILD=${CMAKE_BINARY_DIR}"
    "UBSAN_OPTIONS=print_stacktrace=1" "ASAN_OPTIONS=strict_string_checks=1:detect_leaks=1"
    "LC_ALL=C.UTF-8"
)

# Seconds; sanitizers make packets ten to twenty times as dear.
set(ddl_test_timeout 300)
set(ddl_e2e_timeout 600)
if(DDL_SANITIZE)
  set(ddl_test_timeout 1800)
  set(ddl_e2e_timeout 7200) # e2e/commands runs whatever the pages show
endif()

add_executable(ddl-tests ${ddl_tests})
target_link_libraries(
  ddl-tests PRIVATE ddl-app ddl-app-studies ddl-reader ddl ${ddl_third_party_libraries} GTest::gtest Ns3::flow-monitor
                    ${CMAKE_DL_LIBS}
)
target_include_directories(ddl-tests PRIVATE "${ddl_root}" "${ddl_root}/test/common")
ddl_settings(ddl-tests)
target_compile_options(ddl-tests PRIVATE -O1) # compiles faster; the library under test is at full
# whose units and hosts are called A and B, or GPUs G(server, index), or which have many short names
set(ddl_single_tests
    placement/ddl-load-placement placement/ddl-place-all placement/ddl-placement-policy
    scheduling/ddl-communication-gate scheduling/ddl-dual-bound scheduling/ddl-figure3
    scheduling/ddl-grouper-network-scheduler scheduling/ddl-in-band scheduling/ddl-job-manager
    scheduling/ddl-priority-book
    workload/ddl-graph-format workload/ddl-task-graph
)
list(TRANSFORM ddl_single_tests REPLACE "(.+)" "test/\\1-test.cc")
set_source_files_properties(${ddl_single_tests} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
ddl_batch(ddl-tests 12)
if(DDL_PCH)
  target_precompile_headers(ddl-tests PRIVATE ${ddl_pch_headers} <nlohmann/json.hpp> <gtest/gtest.h>)
endif()

# Bounds and orders beside the exact optimum of small cases
if(TARGET ddl-lp-primal)
  add_test(
    NAME exact
    COMMAND bash -c "set -o pipefail; $<TARGET_FILE:ddl-lp-instances> 300 | $<TARGET_FILE:ddl-lp-primal>"
  )
  add_test(
    NAME exact/matching
    COMMAND bash -c "set -o pipefail; $<TARGET_FILE:ddl-matching-instances> 500 | $<TARGET_FILE:ddl-matching-optimum>"
  )
  set_tests_properties(
    exact exact/matching PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT
                                                                          ${ddl_test_timeout}
  )
else()
  message(STATUS "no GLPK (libglpk-dev): bounds and matchings are not held against the optimum")
endif()

# Forests beside another implementation
if(TARGET ddl-forest-dlib)
  add_test(
    NAME exact/forest
    COMMAND bash -c "set -o pipefail; $<TARGET_FILE:ddl-forest-instances> 8 | $<TARGET_FILE:ddl-forest-dlib>"
  )
  set_tests_properties(
    exact/forest PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT ${ddl_test_timeout}
  )
else()
  message(STATUS "no dlib (libdlib-dev): regression forests are not held against it")
endif()

# Changed inputs, read and run; with clang, DDL_FUZZ builds the same readers for libFuzzer.
add_executable(ddl-fuzz test/fuzz/ddl-fuzz.cc test/fuzz/ddl-fuzz-inputs.cc)
target_link_libraries(ddl-fuzz PRIVATE ddl-app ddl-app-studies ddl-reader ddl ${ddl_third_party_libraries})
target_include_directories(ddl-fuzz PRIVATE "${ddl_root}")
ddl_settings(ddl-fuzz)
target_compile_options(ddl-fuzz PRIVATE -O1)
add_test(
  NAME fuzz/inputs
  COMMAND bash -c "[[ -n \$DDL_TEST_SLOW ]] && count=10000; $<TARGET_FILE:ddl-fuzz> inputs \${count:-4000} 1"
  WORKING_DIRECTORY "${ddl_test_work}"
)
add_test(
  NAME fuzz/runs
  COMMAND bash -c "[[ -n \$DDL_TEST_SLOW ]] && count=500; $<TARGET_FILE:ddl-fuzz> runs \${count:-200} 1 $<TARGET_FILE:ddl-run>"
  WORKING_DIRECTORY "${ddl_test_work}"
)
set_tests_properties(
  fuzz/inputs fuzz/runs PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT ${ddl_e2e_timeout}
)
option(DDL_FUZZ "Build the libFuzzer target (needs clang++)" OFF)
if(DDL_FUZZ)
  add_executable(ddl-fuzz-target test/fuzz/ddl-fuzz-target.cc test/fuzz/ddl-fuzz-inputs.cc)
  target_link_libraries(ddl-fuzz-target PRIVATE ddl-app ddl-app-studies ddl-reader ddl ${ddl_third_party_libraries})
  target_include_directories(ddl-fuzz-target PRIVATE "${ddl_root}")
  ddl_settings(ddl-fuzz-target)
  target_compile_options(ddl-fuzz-target PRIVATE -fsanitize=fuzzer)
  target_link_options(ddl-fuzz-target PRIVATE -fsanitize=fuzzer)
  target_compile_options(ddl PRIVATE -fsanitize=fuzzer-no-link)
endif()

add_test(NAME rooms COMMAND ${DDL_PYTHON} "${ddl_root}/test/check-rooms.py")
add_test(NAME rooms-self-test COMMAND ${DDL_PYTHON} "${ddl_root}/test/check-rooms.py" --self-test)

foreach(example ${ddl_examples})
  file(MAKE_DIRECTORY "${ddl_test_work}/${example}")
  add_test(NAME example/${example} COMMAND ${example} WORKING_DIRECTORY "${ddl_test_work}/${example}")
  set_tests_properties(
    example/${example} PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT ${ddl_test_timeout}
  )
endforeach()

# Against stock ns-3, flow by flow
add_executable(ddl-bench-tests bench/ddl-stock-agreement-test.cc)
target_link_libraries(ddl-bench-tests PRIVATE ddl-bench-common GTest::gtest_main)
ddl_settings(ddl-bench-tests)
ddl_precompile(ddl-bench-tests REUSE_FROM ddl)
add_test(NAME bench/stock-agreement COMMAND ddl-bench-tests WORKING_DIRECTORY "${ddl_test_work}")
set_tests_properties(
  bench/stock-agreement PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT ${ddl_e2e_timeout}
)

add_executable(ddl-slotted-tests
  studies/ddl-slotted-cluster-test.cc
  studies/ddl-slotted-cluster.cc
)
target_include_directories(ddl-slotted-tests PRIVATE "${ddl_root}/studies")
target_link_libraries(ddl-slotted-tests PRIVATE ddl GTest::gtest_main)
ddl_settings(ddl-slotted-tests)
ddl_precompile(ddl-slotted-tests REUSE_FROM ddl)
add_test(NAME bench/slotted-cluster COMMAND ddl-slotted-tests WORKING_DIRECTORY "${ddl_test_work}")

add_executable(ddl-steady-tests
  studies/ddl-steady-recorder-test.cc
  studies/ddl-steady-recorder.cc
  studies/ddl-steady-stretch-test.cc
  studies/ddl-steady-stretch.cc
)
target_include_directories(ddl-steady-tests PRIVATE "${ddl_root}/studies")
target_link_libraries(
  ddl-steady-tests PRIVATE ddl-reader ddl ${ddl_third_party_libraries} GTest::gtest_main
)
ddl_settings(ddl-steady-tests)
ddl_precompile(ddl-steady-tests REUSE_FROM ddl)
add_test(NAME bench/steady COMMAND ddl-steady-tests WORKING_DIRECTORY "${ddl_test_work}")
set_tests_properties(bench/steady PROPERTIES ENVIRONMENT "${ddl_test_environment}")

add_executable(ddl-offer-tests
  studies/ddl-offer-cluster-test.cc
  studies/ddl-offer-cluster.cc
  studies/ddl-offer-workload.cc
)
target_include_directories(ddl-offer-tests PRIVATE "${ddl_root}/studies")
target_link_libraries(ddl-offer-tests PRIVATE ddl GTest::gtest_main)
ddl_settings(ddl-offer-tests)
ddl_precompile(ddl-offer-tests REUSE_FROM ddl)
add_test(NAME bench/offers COMMAND ddl-offer-tests WORKING_DIRECTORY "${ddl_test_work}")

add_executable(ddl-crux-tests
  studies/ddl-crux-optimum-test.cc
  studies/ddl-crux-optimum.cc
  studies/ddl-small-cluster.cc
)
target_include_directories(ddl-crux-tests PRIVATE "${ddl_root}/studies")
target_link_libraries(ddl-crux-tests PRIVATE ddl GTest::gtest_main)
ddl_settings(ddl-crux-tests)
ddl_precompile(ddl-crux-tests REUSE_FROM ddl)
add_test(NAME bench/crux COMMAND ddl-crux-tests WORKING_DIRECTORY "${ddl_test_work}")

add_executable(ddl-layer-tests
  studies/ddl-layer-cases-test.cc
  studies/ddl-layer-cases.cc
)
target_include_directories(ddl-layer-tests PRIVATE "${ddl_root}/studies")
target_link_libraries(ddl-layer-tests PRIVATE ddl GTest::gtest_main)
ddl_settings(ddl-layer-tests)
ddl_precompile(ddl-layer-tests REUSE_FROM ddl)
add_test(NAME bench/layers COMMAND ddl-layer-tests WORKING_DIRECTORY "${ddl_test_work}")
set_tests_properties(
  bench/layers PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT ${ddl_e2e_timeout}
)

# The papers' figures with few seeds, against their expected values. Not under sanitizers: hours, of
# code that other tests run.
if(NOT DDL_SANITIZE)
  foreach(paper ada-srsf dally grouper hare liquid)
    add_test(NAME reproduce/${paper}
             COMMAND ddl-reproduce ${paper} --quick --jobs=2 --out=${ddl_test_work}/reproduce-${paper}
    )
    set_tests_properties(
      reproduce/${paper} PROPERTIES ENVIRONMENT "${ddl_test_environment}" TIMEOUT 3600 PROCESSORS 2
    )
  endforeach()
endif()

# Looked for when ctest starts: a new suite or script needs no configure step.
foreach(kind unit e2e)
  configure_file(cmake/${kind}-tests.cmake.in ${kind}-tests.cmake @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_BINARY_DIR}/${kind}-tests.cmake")
endforeach()
