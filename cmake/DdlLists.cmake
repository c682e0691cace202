# SPDX-License-Identifier: GPL-2.0-only
# Turns the lists of ddl-files.cmake into paths from the root of the module:
#   ddl_headers, ddl_sources   the library; its headers are included as ns3/ddl-x.h
#   ddl_public_headers         of these, what scripts and plugins may include
#   ddl_app_sources            what the programs are made of
#   ddl_tests                  the GoogleTest sources

# In the order of includes: a room may include those before it (test/check-rooms.py).
set(ddl_rooms
    common
    fabric/queues fabric fabric/topology
    transport transport/tcp transport/rdma transport/fluid
    cluster
    workload/graphs workload/spec workload/patterns workload/estimates workload/search workload/sources workload/runs workload/background
    placement
    scheduling/network scheduling/gates scheduling/jobs scheduling/control scheduling/rounds
    scheduling/offers scheduling/cluster
    metrics
)
set(ddl_app_rooms text process json scenario topology results plot graph page sampling run engines compare reproduce report)
set(ddl_tested common fabric transport cluster workload placement scheduling metrics helper app)
set(ddl_root "${CMAKE_CURRENT_LIST_DIR}/..")
get_filename_component(ddl_root "${ddl_root}" ABSOLUTE)

# ddl_append FOLDER NAMES...: a name with a suffix is a file, one without is a header and a source.
# A listed file that is not there is left out, with a warning; cmake looks again at each build.
function(ddl_append headers sources folder)
  foreach(name ${ARGN})
    set(files ${name})
    if(NOT name MATCHES "\\.(h|cc)$")
      set(files ${name}.h ${name}.cc)
    endif()
    foreach(file ${files})
      if(NOT EXISTS "${ddl_root}/${folder}/${file}")
        message(WARNING "cmake/ddl-files.cmake lists ${folder}/${file}, which does not exist")
        set_property(
          DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ddl_root}/${folder}/${file}"
        )
      elseif(file MATCHES "\\.h$")
        list(APPEND ${headers} ${folder}/${file})
      else()
        list(APPEND ${sources} ${folder}/${file})
      endif()
    endforeach()
  endforeach()
  set(${headers} ${${headers}} PARENT_SCOPE)
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()

# ddl_set_versions NS3_VERSION: for the one file that reports them
function(ddl_set_versions ns3_version)
  file(STRINGS "${ddl_root}/VERSION" version LIMIT_COUNT 1)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ddl_root}/VERSION")
  set_source_files_properties(
    model/common/ddl-version.cc
    PROPERTIES COMPILE_DEFINITIONS
               "DDL_VERSION=\"${version}\";DDL_NS3_VERSION=\"${ns3_version}\""
  )
endfunction()

# Where scenarios are found by name, where the programs were built; and what an installation takes
# along, to be found beside the library (app/scenario/ddl-home.cc).
function(ddl_set_home)
  set_source_files_properties(
    app/scenario/ddl-home.cc PROPERTIES COMPILE_DEFINITIONS "DDL_DATA_FOLDER=\"${ddl_root}\""
  )
  foreach(folder scenarios traces)
    if(IS_DIRECTORY "${ddl_root}/${folder}")
      install(DIRECTORY "${ddl_root}/${folder}" DESTINATION share/ddl)
    endif()
  endforeach()
endfunction()

set(ddl_headers)
set(ddl_sources)
set(ddl_app_headers)
set(ddl_app_sources)
set(ddl_tests)
foreach(room ${ddl_rooms})
  string(REPLACE "/" "_" list "ddl_${room}")
  ddl_append(ddl_headers ddl_sources model/${room} ${${list}})
endforeach()
ddl_append(ddl_headers ddl_sources helper ${ddl_helper})
# What scripts and plugins include. These headers, and those that they include, are public: they are
# installed, and a library with others has another name.
set(ddl_public
    ddl-cluster-helper.h
    ddl-cluster-simulation.h
    ddl-cojob-source.h
    ddl-communication-gate.h
    ddl-communication-pattern.h
    ddl-estimator.h
    ddl-fluid-network.h
    ddl-graph-topology.h
    ddl-job-observer.h
    ddl-job-queue-policy.h
    ddl-network-format.h
    ddl-network-scheduler.h
    ddl-none-search-algorithm.h
    ddl-parameter-server-communication-pattern.h
    ddl-placement-policy.h
    ddl-plugin.h
    ddl-queue-scheduler.h
    ddl-rdma-congestion-control.h
    ddl-ring-communication-pattern.h
    ddl-round-scheduler.h
    ddl-run-recorder.h
    ddl-scenario-reader.h
    ddl-search-algorithm.h
    ddl-summary.h
    ddl-task-queue-policy.h
    ddl-topology.h
    ddl-transport.h
    ddl-wheel-scheduler.h)
set(ddl_public_headers)
set(ddl_names ${ddl_public})
while(ddl_names)
  list(POP_FRONT ddl_names ddl_name)
  set(ddl_path ${ddl_headers})
  list(FILTER ddl_path INCLUDE REGEX "/${ddl_name}$")
  if(NOT ddl_path)
    message(FATAL_ERROR "cmake/ddl-files.cmake: there is no public header ${ddl_name}")
  elseif(NOT ddl_path IN_LIST ddl_public_headers)
    list(APPEND ddl_public_headers ${ddl_path})
    file(STRINGS "${ddl_root}/${ddl_path}" ddl_includes REGEX "^#include \"(ns3/)?ddl-")
    list(TRANSFORM ddl_includes REPLACE "^#include \"(ns3/)?([^\"]*)\".*" "\\2")
    list(APPEND ddl_names ${ddl_includes})
  endif()
endwhile()
list(SORT ddl_public_headers)
foreach(room ${ddl_app_rooms})
  ddl_append(ddl_app_headers ddl_app_sources app/${room} ${ddl_app_${room}})
endforeach()
# Style and script of pages (ddl report) become a source, so that programs look for no files.
set(ddl_page_source "${CMAKE_CURRENT_BINARY_DIR}/ddl-page-files.cc")
file(READ "${ddl_root}/app/page/ddl-page.css" ddl_page_style)
file(READ "${ddl_root}/app/page/ddl-page.js" ddl_page_script)
file(CONFIGURE OUTPUT "${ddl_page_source}" CONTENT "// made of app/page/ddl-page.css and ddl-page.js
#include \"app/page/ddl-page-files.h\"
namespace ns3::ddl
{
const char* const PAGE_STYLE = R\"ddl-file(@ddl_page_style@)ddl-file\";
const char* const PAGE_SCRIPT = R\"ddl-file(@ddl_page_script@)ddl-file\";
} // namespace ns3::ddl
" @ONLY)
set_property(
  DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ddl_root}/app/page/ddl-page.css"
                            "${ddl_root}/app/page/ddl-page.js"
)
list(APPEND ddl_app_sources "${ddl_page_source}")

foreach(room ${ddl_tested})
  ddl_append(ddl_test_headers ddl_tests test/${room} ${ddl_${room}_tests})
endforeach()

foreach(kind programs examples)
  set(present)
  foreach(name ${ddl_${kind}})
    ddl_append(ddl_none present ${kind} ${name}.cc)
  endforeach()
  list(TRANSFORM present REPLACE "^${kind}/(.*)\\.cc$" "\\1" OUTPUT_VARIABLE ddl_${kind})
endforeach()
