# SPDX-License-Identifier: Apache-2.0
# Looks in what was linked for what cmake/hardening.cmake asks for: cmake -DFILES=<program or library>;... -P hardened.cmake
cmake_minimum_required(VERSION 3.25)
foreach(file IN LISTS FILES)
  execute_process(COMMAND readelf --wide --file-header --program-headers --dynamic --dyn-syms ${file}
    OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY)
  foreach(about
      "an address that is chosen when it is loaded| DYN "
      "relocations that are read-only|GNU_RELRO "
      "calls that are bound at the start|BIND_NOW|FLAGS_1.* NOW"
      "a stack that is not run|GNU_STACK +[^\n]* RW "
      "a stack that is guarded|__stack_chk_fail"
      "the C library's checks|__[a-z]+_chk")
    string(FIND "${about}" "|" bar)
    string(SUBSTRING "${about}" 0 ${bar} what)
    math(EXPR bar "${bar} + 1")
    string(SUBSTRING "${about}" ${bar} -1 pattern)
    if(NOT read MATCHES "${pattern}")
      message(SEND_ERROR "${file} lacks ${what} (${pattern})")
    endif()
  endforeach()
  # Libraries come from where the file lies or from the system: an empty element is the working directory.
  string(REGEX MATCH "R(UN)?PATH[^\n]*\\[([^]\n]*)\\]" found "${read}")
  set(path "${CMAKE_MATCH_2}")
  if(found AND NOT path MATCHES "^[$/][^:]*(:[$/][^:]*)*$")
    message(SEND_ERROR "${file} looks for libraries in the working directory (${path})")
  endif()
  if(read MATCHES "TEXTREL")
    message(SEND_ERROR "${file} has code that is changed when it is loaded")
  endif()
endforeach()
