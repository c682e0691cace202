# SPDX-License-Identifier: GPL-2.0-only
# Turns the lists of ddl-files.cmake into paths from the root of the module:
#   ddl_headers, ddl_sources   the library
#   ddl_tests                  the GoogleTest sources

set(ddl_rooms common fabric transport cluster workload placement scheduling metrics)
set(ddl_root "${CMAKE_CURRENT_LIST_DIR}/..")
get_filename_component(ddl_root "${ddl_root}" ABSOLUTE)

# A listed file that is not there is left out, with a warning; cmake looks again at each build.
function(ddl_append_present list folder)
  foreach(name ${ARGN})
    if(EXISTS "${ddl_root}/${folder}/${name}")
      list(APPEND ${list} ${folder}/${name})
    else()
      message(WARNING "cmake/ddl-files.cmake lists ${folder}/${name}, which does not exist")
      set_property(
        DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ddl_root}/${folder}/${name}"
      )
    endif()
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# ddl_set_versions NS3_VERSION: for the one file that reports them
function(ddl_set_versions ns3_version)
  file(STRINGS "${ddl_root}/VERSION" version LIMIT_COUNT 1)
  set_source_files_properties(
    model/common/ddl-version.cc
    PROPERTIES COMPILE_DEFINITIONS
               "DDL_VERSION=\"${version}\";DDL_NS3_VERSION=\"${ns3_version}\""
  )
endfunction()

# Where scenarios are found by name, where the programs were built; and what an installation takes
# along, to be found beside the library (helper/ddl-home.cc).
function(ddl_set_home)
  set_source_files_properties(
    helper/ddl-home.cc PROPERTIES COMPILE_DEFINITIONS "DDL_DATA_FOLDER=\"${ddl_root}\""
  )
  foreach(folder scenarios traces)
    if(IS_DIRECTORY "${ddl_root}/${folder}")
      install(DIRECTORY "${ddl_root}/${folder}" DESTINATION share/ddl)
    endif()
  endforeach()
endfunction()

set(ddl_headers)
set(ddl_sources)
set(ddl_tests)
foreach(room ${ddl_rooms})
  ddl_append_present(ddl_headers model/${room} ${ddl_${room}_headers})
  ddl_append_present(ddl_sources model/${room} ${ddl_${room}_sources})
  ddl_append_present(ddl_tests test/${room} ${ddl_${room}_tests})
endforeach()
ddl_append_present(ddl_headers helper ${ddl_helper_headers})
ddl_append_present(ddl_sources helper ${ddl_helper_sources})
ddl_append_present(ddl_tests test/helper ${ddl_helper_tests})

foreach(kind programs examples)
  set(present)
  foreach(name ${ddl_${kind}})
    ddl_append_present(present ${kind} ${name}.cc)
  endforeach()
  list(TRANSFORM present REPLACE "^${kind}/(.*)\\.cc$" "\\1" OUTPUT_VARIABLE ddl_${kind})
endforeach()
