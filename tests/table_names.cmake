# SPDX-License-Identifier: Apache-2.0
# Refuses comparisons with names of tables: cmake -DROOT=<repository> -P table_names.cmake
# What has to be known of a table is a trait of its row in the catalogue; a table that code means by itself is
# table("kernels"), which the compiler checks. A list of names would be forgotten when a table is added.
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${ROOT}/include/kdiag/catalogue.hpp rows REGEX "^    {\"[a-z_]+\", \"[0-9.]+\"")
set(names "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^    {\"([a-z_]+)\".*" "\\1" name "${row}")
  list(APPEND names ${name})
endforeach()
list(LENGTH names count)
if(count LESS 20)
  message(FATAL_ERROR "Only ${count} tables were found in the catalogue: ${names}")
endif()
list(JOIN names "|" any)

set(problems "")
foreach(folder engine mapping workshop report)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.hpp)
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "((==|!=) *\"(${any})\"|\"(${any})\" *(==|!=))")
    foreach(line IN LISTS lines)
      string(STRIP "${line}" line)
      string(APPEND problems "  ${file}: ${line}\n")
    endforeach()
  endforeach()
endforeach()

if(problems)
  message(FATAL_ERROR "Comparisons with names of tables:\n${problems}")
endif()
