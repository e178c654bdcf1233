# SPDX-License-Identifier: Apache-2.0
# With CMAKE_UNITY_BUILD, a folder's files are compiled in groups: most of a file's compile time goes into headers and
# templates that its neighbours need, too. The presets that are built from empty switch it on; `dev`, which is built
# again and again, and `shared`, which shows that each file includes what it uses, do not. A project that kdiag is part of
# has it on for kdiag, unless it says otherwise: it builds kdiag from empty, and then never again.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()

# Groups sources of a target, which are of one folder. `ALONE` names those which define what their neighbours define.
function(kdiag_group target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SIZE" "SOURCES;ALONE")
  if(NOT arg_SIZE)
    set(arg_SIZE 20)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  list(REMOVE_ITEM arg_SOURCES ${arg_ALONE})
  set(number 0)
  foreach(source IN LISTS arg_SOURCES)
    math(EXPR group "${number} / ${arg_SIZE}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name}_${group})
  endforeach()
endfunction()

# Groups sources of a target folder by folder.
function(kdiag_group_folders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SIZE" "SOURCES")
  set(folders "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} name)
    list(APPEND folders ${name})
    list(APPEND sources_${name} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS folders)
    kdiag_group(${target} ${name} SIZE ${arg_SIZE} SOURCES ${sources_${name}})
  endforeach()
endfunction()

# With it, what nearly all files include is compiled once for a target: a fifth of the compile time of an adapter, a third of
# a test's. ccache keeps what is compiled so when CCACHE_SLOPPINESS says that it may, as the presets do.
if(CMAKE_UNITY_BUILD)
  set(kdiag_precompiles ON)
endif()

# Precompiles the standard headers for a target, and those that are named.
function(kdiag_precompile target)
  if(kdiag_precompiles)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <cmath> <cstdint> <functional> <limits> <map>
      <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> ${ARGN})
  endif()
endfunction()
