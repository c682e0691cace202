# SPDX-License-Identifier: GPL-2.0-only
# Finds an installed ns-3 by plain headers and libraries, so that Debian's libns3-dev alone is
# enough (its own package file asks for GSL, SQLite, libxml2, Python and more).
#
# Takes   Ns3_ROOT or CMAKE_PREFIX_PATH   where `./ns3 install` put a newer ns-3
#         the COMPONENTS of find_package  modules, e.g. core network internet
# Gives   Ns3::<module>                   one imported target a module
#         Ns3_VERSION                     "3.37"
#         Ns3_CXX_STANDARD                the C++ standard that its headers want
#         Ns3_LOG, Ns3_ASSERT             whether the libraries were built with logs, with asserts

find_path(Ns3_INCLUDE_DIR NAMES ns3/core-module.h)
mark_as_advanced(Ns3_INCLUDE_DIR)

# Library names carry version and profile from 3.38 on: libns3.48-core-default.so, libns3-core.so.
set(_ns3_library_dirs ${CMAKE_SYSTEM_LIBRARY_PATH} ${CMAKE_LIBRARY_PATH} /usr/local/lib /usr/lib
                      /usr/lib64
)
if(Ns3_INCLUDE_DIR)
  get_filename_component(_ns3_prefix "${Ns3_INCLUDE_DIR}" DIRECTORY)
  set(_ns3_library_dirs
      "${_ns3_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" "${_ns3_prefix}/lib"
      "${_ns3_prefix}/lib64" ${_ns3_library_dirs}
  )
endif()

function(_ns3_find_library module)
  if(Ns3_${module}_LIBRARY)
    return()
  endif()
  foreach(_dir ${_ns3_library_dirs})
    file(GLOB _found "${_dir}/libns3*-${module}.so" "${_dir}/libns3*-${module}-*.so")
    foreach(_library ${_found})
      # "point-to-point" must not be answered with "point-to-point-layout"
      if(_library MATCHES "/libns3[.0-9]*-${module}(-(debug|default|release|optimized|minsizerel|relwithdebinfo))?\\.so$")
        set(Ns3_${module}_LIBRARY "${_library}" CACHE FILEPATH "ns-3's ${module} module")
        mark_as_advanced(Ns3_${module}_LIBRARY)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

set(_ns3_required Ns3_INCLUDE_DIR)
foreach(_module ${Ns3_FIND_COMPONENTS})
  _ns3_find_library(${_module})
  list(APPEND _ns3_required Ns3_${_module}_LIBRARY)
endforeach()

if(Ns3_core_LIBRARY)
  if(Ns3_core_LIBRARY MATCHES "libns3\\.([0-9]+)-core")
    set(Ns3_VERSION "3.${CMAKE_MATCH_1}")
  else()
    get_filename_component(_ns3_real "${Ns3_core_LIBRARY}" REALPATH)
    if(_ns3_real MATCHES "\\.so\\.([0-9]+)$")
      set(Ns3_VERSION "3.${CMAKE_MATCH_1}")
    endif()
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Ns3
  REQUIRED_VARS ${_ns3_required}
  VERSION_VAR Ns3_VERSION
  REASON_FAILURE_MESSAGE
    "On Debian: apt-get install libns3-dev. Elsewhere: ./ns3 install, then -DNs3_ROOT=PREFIX."
)

if(Ns3_FOUND)
  set(Ns3_CXX_STANDARD 17)
  if(Ns3_VERSION VERSION_GREATER_EQUAL 3.46)
    set(Ns3_CXX_STANDARD 23)
  elseif(Ns3_VERSION VERSION_GREATER_EQUAL 3.41)
    set(Ns3_CXX_STANDARD 20)
  endif()

  # Logs and asserts change the layout of ns-3's classes, and no installed file says whether they
  # were on; what the libraries themselves contain does. Without logs, no function's arguments are
  # ever printed; without asserts, no failed one is.
  set(_ns3_probe "${Ns3_core_LIBRARY}")
  if(Ns3_network_LIBRARY)
    set(_ns3_probe "${Ns3_network_LIBRARY}")
  endif()
  file(STRINGS "${_ns3_probe}" _ns3_log_symbols REGEX "_ZN3ns315ParameterLoggerC1E" LIMIT_COUNT 1)
  file(STRINGS "${_ns3_probe}" _ns3_assert_texts REGEX "(assert|NS_ASSERT|NS_ASSERT_MSG) failed[.,] cond="
       LIMIT_COUNT 1
  )
  set(Ns3_LOG OFF)
  set(Ns3_ASSERT OFF)
  set(_ns3_definitions)
  if(_ns3_log_symbols)
    set(Ns3_LOG ON)
    list(APPEND _ns3_definitions NS3_LOG_ENABLE)
  endif()
  if(_ns3_assert_texts)
    set(Ns3_ASSERT ON)
    list(APPEND _ns3_definitions NS3_ASSERT_ENABLE)
  endif()

  foreach(_module ${Ns3_FIND_COMPONENTS})
    if(NOT TARGET Ns3::${_module})
      add_library(Ns3::${_module} SHARED IMPORTED)
      set_target_properties(
        Ns3::${_module}
        PROPERTIES IMPORTED_LOCATION "${Ns3_${_module}_LIBRARY}"
                   INTERFACE_INCLUDE_DIRECTORIES "${Ns3_INCLUDE_DIR}"
                   INTERFACE_COMPILE_DEFINITIONS "${_ns3_definitions}"
                   INTERFACE_COMPILE_FEATURES cxx_std_${Ns3_CXX_STANDARD}
      )
    endif()
  endforeach()
endif()
