# SPDX-License-Identifier: Apache-2.0
# Ids of notes, refusals and errors are said by name: cmake -DROOT=<repository> -P ids.cmake
# "K603" as a literal stands in include/kdiag/*_ids.hpp alone, so that a reader of the code sees what is noted.
cmake_minimum_required(VERSION 3.25)

set(problems "")
foreach(folder base engine dsl lua adapters mapping ingest packs report workshop api capi cli)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "\"K[0-9][0-9][0-9]\"")
    foreach(line IN LISTS lines)
      string(STRIP "${line}" line)
      string(APPEND problems "  ${file}: ${line}\n")
    endforeach()
  endforeach()
endforeach()

if(problems)
  message(FATAL_ERROR "Ids that kdiag/note_ids.hpp, kdiag/refusal_ids.hpp and kdiag/error_ids.hpp have names for:\n${problems}")
endif()
