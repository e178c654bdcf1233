# SPDX-License-Identifier: Apache-2.0
# Checks the direction of dependencies: cmake -DROOT=<repository> -P layering.cmake
# 1. Which folders a folder may include. 2. Which libraries are known to a single file. 3. No library in a header.
# 4. No source file outside the folders that are listed here.
cmake_minimum_required(VERSION 3.25)

# Folders from the ground up, one to a line: each may include itself, the public headers, and what stands behind it.
set(layers
  "include"           "kdiag"
  "base/names"        "kdiag|base"
  "base"              "kdiag"
  "engine/facts"      "kdiag|base"
  "engine/recording"  "kdiag|base|engine/facts"
  "engine/link"       "kdiag|base|engine/facts"
  "engine/derive/rows"     "kdiag|base|engine/facts"
  "engine/derive/steps"    "kdiag|base|engine/(facts|link|derive/rows)"
  "engine/derive/timeline" "kdiag|base|engine/(facts|link|derive/(rows|steps))"
  "engine/derive/blame"    "kdiag|base|engine/(facts|link|derive/(rows|steps|timeline))"
  "engine/derive/work"    "kdiag|base|engine/(facts|derive/rows)"
  "engine/derive/fleet"    "kdiag|base|engine/(facts|derive/(rows|steps)|compare/statistics)"
  "engine/derive"     "kdiag|base|engine/(facts|recording|link|compare/statistics)"
  "engine/compare/statistics" "kdiag|base"
  "engine/compare/cycles"  "kdiag|base|engine/(facts|derive|compare/statistics)"
  "engine/compare/changes" "kdiag|base|engine/(facts|derive|compare/(statistics|cycles))"
  "engine/compare"    "kdiag|base|engine/facts|engine/derive"
  "engine/language"   "kdiag|base|engine/facts"
  "engine/checking"   "kdiag|base|engine/(facts|language)"
  "engine/eval"       "kdiag|base|engine/facts|engine/derive|engine/language"
  "engine/functions"  "kdiag|base|engine/(facts|language|checking|eval)"
  "engine/ruleset"    "kdiag|base|engine/(facts|recording|language|checking|eval)"
  "engine/judge"      "kdiag|base|engine/(facts|recording|derive|compare|language|ruleset|eval)"
  "dsl/expressions"   "kdiag|base|engine/language"
  "dsl"               "kdiag|base|engine/(facts|language|ruleset)"
  "lua"               "kdiag|base|engine/(facts|language|checking|ruleset|eval)|dsl"
  "adapters/io"       "kdiag|base"
  "adapters/text"     "kdiag|base|adapters/io"
  "adapters/json"     "kdiag|base|adapters/(io|text)"
  "adapters/names"    "kdiag|base"
  "adapters/rows"     "kdiag|base|adapters/(io|text|json|names)"
  "adapters"          "kdiag|base|adapters/(io|text|json|names|rows)"
  "mapping"           "kdiag|base|engine/language|dsl|adapters"
  "ingest/names"      "kdiag|base"
  "ingest"            "kdiag|base|engine/(facts|link|derive)|adapters|mapping"
  "rules"             "kdiag|base|dsl"
  "packs"             "kdiag|base|engine/(language|ruleset)|dsl|lua|rules"
  "project"           "kdiag|base|engine/(language|ruleset|judge)|dsl"
  "report/phrases"    "kdiag|base"
  "report/text"       "kdiag|base|engine/compare/statistics|report/phrases"
  "report/perfetto"   "kdiag|base|report"
  "report/html"       "kdiag|base|engine/compare/statistics|report/phrases"
  "report"            "kdiag|base|engine/compare/statistics"
  "workshop"          "kdiag|base|engine|dsl|ingest|mapping|rules|packs|project|report"
  "api"               "kdiag|base|engine|dsl|lua|adapters|mapping|ingest|rules|packs|project|report|workshop"
  "capi"              "kdiag|base|engine|dsl|ingest|api"
  "serve/rpc"         "kdiag"
  "serve/lsp"         "kdiag|serve/rpc"
  "serve/mcp"         "kdiag|serve/rpc"
  "cli/declare"       "kdiag|cli"
  "cli/verbs"         "kdiag|serve|cli"
  "cli"               "kdiag|serve"
  "examples"          "kdiag"
  "cmake"             "kdiag")

# What may include anything, and is part of nothing that is shipped; build/ is made.
set(free "bench|build|tests")

# Header of a library, as a regular expression, and the only files that may include it.
set(owned
  "^tao/pegtl"       "^dsl/expressions/(parse_expr\\.cpp|grammar\\.hpp)$"
  "^yaml-cpp/"       "^dsl/yaml_tree\\.cpp$"
  "^isa-l/"          "^adapters/io/gzip(_writer)?\\.cpp$"
  "^zstd"            "^(adapters/io/zstd|base/packed_text)\\.cpp$"
  "^lzma"            "^adapters/io/xz\\.cpp$"
  "^archive"         "^adapters/io/archive\\.cpp$"
  "^boost/"          "^engine/compare/statistics/distributions\\.cpp$"
  "^protozero/"      "^(adapters/io/protobuf|report/perfetto/packets)\\.cpp$"
  "^sqlite3"         "^adapters/io/sqlite(_writer)?\\.cpp$"
  "^(lua|lauxlib|lualib)\\.h" "^lua/[a-z_]*\\.cpp$"
  "^CLI/"            "^cli/"
  "^nlohmann/"       "^serve/"
  "^histedit"        "^cli/line_editor\\.cpp$"
  "^dsl/expressions/grammar\\."  "^dsl/expressions/parse_expr\\.cpp$")
set(libraries "^(tao|range|re2|boost|fmt|yaml-cpp|protozero|CLI)/|^(sqlite3|lua\\.|lauxlib|zlib|zstd|lzma|archive|isa-l|histedit)")

set(problems "")
macro(problem file header why)
  string(APPEND problems "  ${file} includes ${header}: ${why}\n")
endmacro()

# A folder that nobody listed would escape the rules below.
set(listed "")
set(folders ${layers})
while(folders)
  list(POP_FRONT folders folder may_include)
  string(APPEND listed "|${folder}")
endwhile()
file(GLOB entries RELATIVE ${ROOT} ${ROOT}/*)
foreach(entry IN LISTS entries)
  if(entry MATCHES "^(${free})$")
    continue()
  endif()
  set(files ${entry})
  if(IS_DIRECTORY ${ROOT}/${entry})
    file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${entry}/*)
    list(FILTER files EXCLUDE REGEX "/node_modules/")  # what npm installed there
  endif()
  foreach(file IN LISTS files)
    if(file MATCHES "\\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inc|inl|ipp)$" AND NOT file MATCHES "^(${free}${listed})/")
      string(APPEND problems "  ${file} is in no folder that tests/layering.cmake lists\n")
    endif()
  endforeach()
endforeach()

set(folders ${layers})
while(folders)
  list(POP_FRONT folders folder may_include)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp
    ${ROOT}/${folder}/*.c)
  if(folder STREQUAL "adapters")  # the folders that all makers share have lines of their own
    list(FILTER files EXCLUDE REGEX "^adapters/(io|text|json|names|rows)/")
  endif()
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*include[ \t]*[<\"]([^>\"]*)[>\"].*" "\\1" header "${line}")

      if(line MATCHES "\"" OR header MATCHES "^kdiag/")
        if(NOT header MATCHES "^(${folder}|${may_include})/")
          problem(${file} ${header} "${folder}/ may include ${may_include} only")
        endif()
      endif()

      set(rest ${owned})
      while(rest)
        list(POP_FRONT rest library owner)
        if(header MATCHES "${library}" AND NOT file MATCHES "${owner}")
          problem(${file} ${header} "only ${owner} may")
        endif()
      endwhile()

      if(header MATCHES "${libraries}" AND file MATCHES "\\.hp?p?$" AND NOT file STREQUAL "dsl/expressions/grammar.hpp")
        problem(${file} ${header} "libraries belong in .cpp files")
      endif()
    endforeach()
  endforeach()
endwhile()

if(problems)
  message(FATAL_ERROR "Against the layering:\n${problems}")
endif()
