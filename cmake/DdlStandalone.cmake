# SPDX-License-Identifier: GPL-2.0-only
# The build against an installed ns-3: library, programs, examples, tests, install and export.

list(APPEND CMAKE_MODULE_PATH "${ddl_root}/cmake")
set(ddl_ns3_modules core network internet applications point-to-point traffic-control)
find_package(Ns3 REQUIRED COMPONENTS ${ddl_ns3_modules})
list(TRANSFORM ddl_ns3_modules PREPEND Ns3:: OUTPUT_VARIABLE ddl_ns3_targets)
message(STATUS "ns-3 ${Ns3_VERSION} (logs ${Ns3_LOG}, asserts ${Ns3_ASSERT}): ${Ns3_core_LIBRARY}")

find_package(GTest QUIET)
option(DDL_TESTS "Build the unit tests (needs GoogleTest)" ${GTest_FOUND})
option(DDL_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(DDL_PCH "Use precompiled headers" ON)
option(DDL_CCACHE "Use ccache where it is installed" ON)
option(DDL_BATCHES "Compile sources in batches: faster when all is built, slower after a change" OFF)
include(DdlBuildSettings)
include(GNUInstallDirs)

# One folder in which "ns3/ddl-x.h" is found, as ns-3 has it in-tree and after installation.
set(ddl_include_dir "${CMAKE_BINARY_DIR}/include")
file(REMOVE_RECURSE "${ddl_include_dir}/ns3")
file(MAKE_DIRECTORY "${ddl_include_dir}/ns3")
foreach(header ${ddl_headers})
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK "${ddl_root}/${header}" "${ddl_include_dir}/ns3/${name}" SYMBOLIC)
endforeach()
# "ns3/ddl-module.h" includes all of them, in-tree builds make one of their own.
set(ddl_module_includes ${ddl_public_headers})
list(TRANSFORM ddl_module_includes REPLACE "^.*/" "")
list(SORT ddl_module_includes)
list(TRANSFORM ddl_module_includes REPLACE "(.+)" "#include <ns3/\\1>\n")
list(JOIN ddl_module_includes "" ddl_module_includes)
file(CONFIGURE OUTPUT ddl-module.h CONTENT "// All public headers of the module, for scripts.
#ifndef NS3_MODULE_DDL
#define NS3_MODULE_DDL
@ddl_module_includes@#endif // NS3_MODULE_DDL
" @ONLY)
file(CREATE_LINK "${CMAKE_CURRENT_BINARY_DIR}/ddl-module.h" "${ddl_include_dir}/ns3/ddl-module.h" SYMBOLIC)

# ---- Library
ddl_set_versions("${Ns3_VERSION}")
ddl_set_home()
# What the programs are made of (app/) is not in the library, and its headers are not installed. Of the
# reader of scenarios the library shows one function, ReadScenario, for scripts in C++ that start from
# a JSON file; the rest of it is hidden (--exclude-libs),
set(ddl_reader app/scenario/ddl-scenario-reader.cc)
set_source_files_properties(${ddl_reader} PROPERTIES COMPILE_OPTIONS -fvisibility-inlines-hidden)
set(ddl_reader_sources ${ddl_app_sources})
list(FILTER ddl_reader_sources INCLUDE REGEX "^app/(text|json|scenario)/")
list(REMOVE_ITEM ddl_app_sources ${ddl_reader} ${ddl_reader_sources})
list(REMOVE_ITEM ddl_reader_sources ${ddl_reader})
# What a run does without (what is made of many runs, and `./ddl check` with its forecast), so the first
# build, for `./ddl run`, does too.
set(ddl_studies_sources ${ddl_app_sources})
list(FILTER ddl_studies_sources INCLUDE REGEX "^app/(compare|engines|page|report|reproduce)/|-forecast|-check-scenario|-idle-settings")
list(FILTER ddl_studies_sources EXCLUDE REGEX "/ddl-report-model") # what a run prints, too
list(REMOVE_ITEM ddl_app_sources ${ddl_studies_sources})
add_library(ddl-reader STATIC ${ddl_reader_sources})
add_library(ddl-app OBJECT ${ddl_app_sources})
add_library(ddl-app-studies OBJECT ${ddl_studies_sources})
add_library(ddl SHARED ${ddl_sources} ${ddl_reader})
add_library(ddl::ddl ALIAS ddl)
# Plugins and scripts are compiled against the public headers. A build with other headers, or with
# another ns-3, has a library of another name: the loader refuses what another build made by that name.
set(ddl_abi "${Ns3_VERSION} ${Ns3_LOG} ${Ns3_ASSERT} ${DDL_SANITIZE} ${CMAKE_CXX_COMPILER_ID}")
foreach(header ${ddl_public_headers})
  file(SHA256 "${ddl_root}/${header}" hash)
  string(APPEND ddl_abi " ${hash}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ddl_root}/${header}")
endforeach()
string(SHA256 ddl_abi "${ddl_abi}")
string(SUBSTRING "${ddl_abi}" 0 8 ddl_abi)
set_target_properties(
  ddl PROPERTIES VERSION ${PROJECT_VERSION}-${ddl_abi} SOVERSION ${PROJECT_VERSION}-${ddl_abi}
                 DEFINE_SYMBOL "" INSTALL_RPATH_USE_LINK_PATH ON
)
target_include_directories(
  ddl PUBLIC $<BUILD_INTERFACE:${ddl_include_dir}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
)
target_link_libraries(
  ddl PUBLIC ${ddl_ns3_targets} PRIVATE $<TARGET_FILE:ddl-reader> ${ddl_third_party_libraries}
)
# nor nlohmann/json's, which a plugin may have in another version
target_link_options(
  ddl PRIVATE -Wl,--exclude-libs,libddl-reader.a:liblpsolve55_pic.a:liblpsolve55.a
              "-Wl,--version-script,${CMAKE_CURRENT_SOURCE_DIR}/cmake/ddl-symbols.map"
)
set_property(TARGET ddl APPEND PROPERTY LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/cmake/ddl-symbols.map")
add_dependencies(ddl ddl-reader)
if(NOT DDL_SANITIZE)
  target_link_options(ddl PRIVATE -Wl,--no-undefined -Wl,-Bsymbolic-functions)
endif()
foreach(part ddl-reader ddl-app ddl-app-studies)
  target_include_directories(${part} PRIVATE "${ddl_include_dir}")
  target_link_libraries(${part} PRIVATE ${ddl_ns3_targets})
endforeach()
# The library has a precompiled header of its own, without nlohmann/json: each unit that sees json.hpp
# instantiates its parser, needed or not, and takes a second of CPU time longer.
ddl_precompile(ddl-reader <nlohmann/json.hpp>)
ddl_precompile(ddl)
ddl_precompile(ddl-app REUSE_FROM ddl-reader)
ddl_precompile(ddl-app-studies REUSE_FROM ddl-reader)
foreach(part ddl-reader ddl ddl-app ddl-app-studies)
  target_include_directories(${part} PRIVATE "${ddl_root}")
  ddl_settings(${part})
  ddl_batch(${part} 24)
endforeach()
foreach(part ddl-reader ddl-app ddl-app-studies)
  ddl_light(${part})
endforeach()

# ---- Programs, and examples
function(ddl_add_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ddl-app ddl-reader ddl ${ddl_third_party_libraries} ${CMAKE_DL_LIBS})
  target_include_directories(${name} PRIVATE "${ddl_root}")
  set_target_properties(
    ${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
                       INSTALL_RPATH_USE_LINK_PATH ON
  )
  ddl_settings(${name})
endfunction()

foreach(program ${ddl_programs})
  ddl_add_program(${program} programs/${program}.cc)
  ddl_light(${program})
  ddl_precompile(${program} REUSE_FROM ddl-reader)
endforeach()
foreach(program ddl-check ddl-compare ddl-list ddl-report ddl-reproduce)
  target_link_libraries(${program} PRIVATE ddl-app-studies)
endforeach()
add_custom_target(programs DEPENDS ddl ${ddl_programs})
include(DdlBench)

# As a user's own script: with the library and its public headers, and nothing else
foreach(example ${ddl_examples})
  add_executable(${example} examples/${example}.cc)
  target_link_libraries(${example} PRIVATE ddl::ddl)
  ddl_settings(${example})
  set_target_properties(${example} PROPERTIES RUNTIME_OUTPUT_DIRECTORY examples)
endforeach()

# ---- Tests
if(DDL_TESTS)
  include(DdlTests)
endif()

# ---- Install and export: find_package(ddl), target ddl::ddl
include(CMakePackageConfigHelpers)
set(ddl_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ddl)
install(TARGETS ddl ${ddl_programs} EXPORT ddlTargets)
install(PROGRAMS cmake/ddl-installed.sh DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ddl)
install(FILES ${ddl_public_headers} "${CMAKE_CURRENT_BINARY_DIR}/ddl-module.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
install(EXPORT ddlTargets NAMESPACE ddl:: DESTINATION ${ddl_package_dir})
write_basic_package_version_file(ddlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
list(JOIN ddl_ns3_modules " " ddl_ns3_module_words)
configure_file(cmake/ddlConfig.cmake.in ddlConfig.cmake @ONLY)
configure_file(cmake/FindNs3.cmake FindNs3.cmake COPYONLY)
install(
  FILES "${CMAKE_BINARY_DIR}/ddlConfig.cmake" "${CMAKE_BINARY_DIR}/ddlConfigVersion.cmake"
        cmake/FindNs3.cmake
  DESTINATION ${ddl_package_dir}
)
export(EXPORT ddlTargets NAMESPACE ddl:: FILE "${CMAKE_BINARY_DIR}/ddlTargets.cmake")
