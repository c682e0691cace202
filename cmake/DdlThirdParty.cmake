# SPDX-License-Identifier: GPL-2.0-only
# What the library needs besides ns-3, found by plain headers and libraries:
#   nlohmann/json (scenarios, summaries), Boost (headers, and what gnuplot-iostream links),
#   gnuplot-iostream (figures); and lp_solve for the policy `gavel`, which says so where it is missing
# Gives ddl_third_party_libraries, and sets include folders where they are not the compiler's own.

find_path(DDL_JSON_INCLUDE_DIR NAMES nlohmann/json.hpp)
find_path(DDL_BOOST_INCLUDE_DIR NAMES boost/version.hpp)
find_path(DDL_GNUPLOT_INCLUDE_DIR NAMES gnuplot-iostream.h)
find_library(DDL_BOOST_IOSTREAMS_LIBRARY NAMES boost_iostreams)
find_library(DDL_BOOST_FILESYSTEM_LIBRARY NAMES boost_filesystem)
find_library(DDL_BOOST_SYSTEM_LIBRARY NAMES boost_system)

set(ddl_third_party_libraries)
set(ddl_missing)
foreach(
  pair
  "DDL_JSON_INCLUDE_DIR=nlohmann-json3-dev"
  "DDL_BOOST_INCLUDE_DIR=libboost-dev"
  "DDL_GNUPLOT_INCLUDE_DIR=libgnuplot-iostream-dev"
  "DDL_BOOST_IOSTREAMS_LIBRARY=libboost-iostreams-dev"
  "DDL_BOOST_FILESYSTEM_LIBRARY=libboost-filesystem-dev"
  "DDL_BOOST_SYSTEM_LIBRARY=libboost-system-dev"
)
  string(REPLACE "=" ";" pair "${pair}")
  list(GET pair 0 variable)
  list(GET pair 1 package)
  mark_as_advanced(${variable})
  if(NOT ${variable})
    list(APPEND ddl_missing ${package})
  elseif(variable MATCHES "_LIBRARY$")
    list(APPEND ddl_third_party_libraries ${${variable}})
  elseif(NOT "${${variable}}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    include_directories(SYSTEM ${${variable}})
  endif()
endforeach()
if(ddl_missing)
  list(JOIN ddl_missing " " ddl_missing)
  message(FATAL_ERROR "ddl: missing libraries. On Debian: apt-get install ${ddl_missing}")
endif()

# Debian has it as an archive, which needs COLAMD. Its header defines macros: no batch may have it.
find_path(DDL_LP_SOLVE_INCLUDE_DIR NAMES lpsolve/lp_lib.h)
find_library(DDL_LP_SOLVE_LIBRARY NAMES lpsolve55_pic lpsolve55)
find_library(DDL_COLAMD_LIBRARY NAMES colamd)
mark_as_advanced(DDL_LP_SOLVE_INCLUDE_DIR DDL_LP_SOLVE_LIBRARY DDL_COLAMD_LIBRARY)
set(ddl_lp_solver model/scheduling/jobs/ddl-max-min-share.cc)
if(DDL_LP_SOLVE_INCLUDE_DIR AND DDL_LP_SOLVE_LIBRARY AND DDL_COLAMD_LIBRARY)
  list(APPEND ddl_third_party_libraries ${DDL_LP_SOLVE_LIBRARY} ${DDL_COLAMD_LIBRARY} ${CMAKE_DL_LIBS})
  if(NOT "${DDL_LP_SOLVE_INCLUDE_DIR}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    include_directories(SYSTEM ${DDL_LP_SOLVE_INCLUDE_DIR})
  endif()
  set_source_files_properties(
    ${ddl_lp_solver} PROPERTIES COMPILE_DEFINITIONS DDL_LP_SOLVE SKIP_UNITY_BUILD_INCLUSION ON
  )
else()
  message(STATUS "no lp_solve (liblpsolve55-dev): the policy gavel is listed, and refuses to run")
endif()

# GCC 12 sees an out-of-bounds access in the std::map of an inlined json destructor; there is none.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-array-bounds)
endif()
