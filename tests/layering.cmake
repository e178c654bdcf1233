# SPDX-License-Identifier: Apache-2.0
# Checks the direction of dependencies: cmake -DROOT=<repository> -P layering.cmake
# 1. Which folders a folder may include. 2. Which libraries are known to a single file. 3. No library in a header.
cmake_minimum_required(VERSION 3.25)

set(may_include_include "kdiag")
set(may_include_engine "kdiag|engine")
set(may_include_dsl "kdiag|engine|dsl")
set(may_include_adapters "kdiag|adapters")
set(may_include_mapping "kdiag|engine|dsl|adapters/util|mapping")
set(may_include_report "kdiag|report")
set(may_include_lua "kdiag|engine|dsl|lua")
set(may_include_api "kdiag|engine|dsl|lua|adapters|mapping|report|rules|api")
set(may_include_rules "kdiag|dsl|rules")
set(may_include_cli "kdiag|cli")
set(may_include_examples "kdiag")

# Header of a library, as a regular expression, and the only files that may include it.
set(owned
  "^tao/pegtl"       "^dsl/(parse_expr\\.cpp|grammar\\.hpp)$"
  "^yaml-cpp/"       "^dsl/yaml_tree\\.cpp$"
  "^isa-l/"          "^adapters/util/gzip\\.cpp$"
  "^zstd"            "^adapters/util/zstd\\.cpp$"
  "^lzma"            "^adapters/util/xz\\.cpp$"
  "^archive"         "^adapters/util/archive\\.cpp$"
  "^boost/"          "^engine/compare/statistics/distributions\\.cpp$"
  "^protozero/"      "^adapters/util/protobuf\\.cpp$"
  "^sqlite3"         "^adapters/util/sqlite\\.cpp$"
  "^(lua|lauxlib|lualib)\\.h" "^lua/[a-z_]*\\.cpp$"
  "^CLI/"            "^cli/"
  "^histedit"        "^cli/line_editor\\.cpp$"
  "^dsl/grammar\\."  "^dsl/parse_expr\\.cpp$")
set(libraries "^(tao|range|re2|boost|fmt|yaml-cpp|protozero|CLI)/|^(sqlite3|lua\\.|lauxlib|zlib|zstd|lzma|archive|isa-l|histedit)")

set(problems "")
macro(problem file header why)
  string(APPEND problems "  ${file} includes ${header}: ${why}\n")
endmacro()

foreach(folder include engine dsl lua adapters mapping report rules api cli examples)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp
    ${ROOT}/${folder}/*.c)
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*include[ \t]*[<\"]([^>\"]*)[>\"].*" "\\1" header "${line}")

      if(header MATCHES "^(kdiag|engine|dsl|lua|adapters|mapping|report|api|cli|rules|tests)/" OR line MATCHES "\"")
        if(NOT header MATCHES "^(${may_include_${folder}})/")
          problem(${file} ${header} "${folder}/ may include ${may_include_${folder}} only")
        endif()
      endif()

      set(rest ${owned})
      while(rest)
        list(POP_FRONT rest library owner)
        if(header MATCHES "${library}" AND NOT file MATCHES "${owner}")
          problem(${file} ${header} "only ${owner} may")
        endif()
      endwhile()

      if(header MATCHES "${libraries}" AND file MATCHES "\\.hp?p?$" AND NOT file STREQUAL "dsl/grammar.hpp")
        problem(${file} ${header} "libraries belong in .cpp files")
      endif()
    endforeach()
  endforeach()
endforeach()

if(problems)
  message(FATAL_ERROR "Includes against the layering:\n${problems}")
endif()
