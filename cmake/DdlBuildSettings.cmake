# SPDX-License-Identifier: GPL-2.0-only
# How everything is compiled: build type, standard, warnings, sanitizers, ccache, precompiled headers.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release is what results are made with" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT DDL_SANITIZE)
  message(
    WARNING
      "\n"
      "  ############################################################################\n"
      "  #  ddl: build type '${CMAKE_BUILD_TYPE}', not 'Release'.\n"
      "  #  Simulations will run several times slower than they need to.\n"
      "  ############################################################################"
  )
endif()

set(CMAKE_CXX_STANDARD ${Ns3_CXX_STANDARD})
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(DDL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(DDL_CCACHE_PROGRAM ccache)
  mark_as_advanced(DDL_CCACHE_PROGRAM)
  if(DDL_CCACHE_PROGRAM)
    # what ccache asks for to work with precompiled headers
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${DDL_CCACHE_PROGRAM}
    )
  endif()
endif()

set(ddl_sanitizer_flags)
if(DDL_SANITIZE)
  set(ddl_sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined)
endif()

# -fPIC for programs too, so that one precompiled header serves all
function(ddl_settings target)
  # Nobody replaces a function of ours by preloading: calls within the library are direct.
  target_compile_options(${target} PRIVATE -fPIC -fno-semantic-interposition -Wall -Wextra)
  # The compiler of GCC collects its garbage later: 2 to 9 % less CPU time, a third more memory.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(
      ${target} PRIVATE --param=ggc-min-expand=1000 --param=ggc-min-heapsize=4194304
    )
  endif()
  if(DDL_SANITIZE)
    target_compile_options(${target} PRIVATE ${ddl_sanitizer_flags} -fno-omit-frame-pointer -g1 -O1
                           -UNDEBUG -D_GLIBCXX_ASSERTIONS)
    target_link_options(${target} PUBLIC ${ddl_sanitizer_flags})
  endif()
  if(DDL_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# The heavy headers that most files include anyway
set(ddl_pch_headers
    <algorithm>
    <fstream>
    <functional>
    <map>
    <memory>
    <optional>
    <set>
    <sstream>
    <string>
    <unordered_map>
    <vector>
    <ns3/application.h>
    <ns3/boolean.h>
    <ns3/config.h>
    <ns3/data-rate.h>
    <ns3/double.h>
    <ns3/enum.h>
    <ns3/ipv4-header.h>
    <ns3/ipv4-l3-protocol.h>
    <ns3/log.h>
    <ns3/net-device.h>
    <ns3/node-container.h>
    <ns3/node.h>
    <ns3/object-factory.h>
    <ns3/packet.h>
    <ns3/pointer.h>
    <ns3/queue-disc.h>
    <ns3/random-variable-stream.h>
    <ns3/simulator.h>
    <ns3/string.h>
    <ns3/tcp-header.h>
    <ns3/tcp-l4-protocol.h>
    <ns3/tcp-socket-base.h>
    <ns3/trace-source-accessor.h>
    <ns3/traced-callback.h>
    <ns3/uinteger.h>
)

# ddl_light(TARGET): what only reads, writes and draws gains nothing from -O2, which takes a third longer to
# compile.
function(ddl_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# ddl_precompile(TARGET [HEADER...] | TARGET REUSE_FROM OTHER). Both targets have to be light, or neither:
# GCC 12 crashes where a header was precompiled at another level of optimisation.
function(ddl_precompile target)
  if(NOT DDL_PCH)
    return()
  endif()
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ddl_pch_headers} ${ARGN})
  endif()
endfunction()

# ddl_batch(TARGET SIZE): compiles the target's sources in batches of so many files, those of one folder
# together, which takes a third of the time. A room of model/ with its subfolders counts as one folder, and small rooms of app/ go
# with their neighbours: each batch costs a second more, and 100 MB. Names in anonymous namespaces have to be
# unique within a batch.
function(ddl_batch target size)
  if(NOT DDL_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder "${source}" DIRECTORY)
    string(REGEX REPLACE "^(model/[a-z]+)/.*" "\\1" folder "${folder}")
    string(REGEX REPLACE "^app/(process|results|run)$" "app/run" folder "${folder}")
    string(REGEX REPLACE "^app/page$" "app/plot" folder "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR batch "0${batched_${folder}} / ${size}")
    math(EXPR batched_${folder} "0${batched_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # a batch is no header
  # each file has a log component of its own, which NS_LOG_COMPONENT_DEFINE calls g_log
  set_target_properties(
    ${target}
    PROPERTIES
      UNITY_BUILD ON
      UNITY_BUILD_MODE GROUP
      UNITY_BUILD_UNIQUE_ID DDL_FILE
      UNITY_BUILD_CODE_BEFORE_INCLUDE
      "#define DDL_JOIN_(a, b) a##b\n#define DDL_JOIN(a, b) DDL_JOIN_(a, b)\n#define g_log DDL_JOIN(g_log_, DDL_FILE)"
      UNITY_BUILD_CODE_AFTER_INCLUDE "#undef g_log"
  )
endfunction()
