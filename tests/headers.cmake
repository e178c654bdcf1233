# SPDX-License-Identifier: Apache-2.0
# Checks that the public headers compile without warnings, and what including kdiag costs:
# cmake -DROOT=<repository> -DCXX=<compiler> -DCC=<C compiler> [-DALONE=ON] -P headers.cmake
# ALONE: each of them without the others, which takes a second for each.
cmake_minimum_required(VERSION 3.25)
# Lines of code after the preprocessor, blank ones aside, which comments become; <memory> alone would exceed it.
set(budget 31660)

file(GLOB headers RELATIVE ${ROOT}/include ${ROOT}/include/kdiag/*.hpp)
set(failed "")
function(compile)
  list(TRANSFORM ARGN PREPEND "-include;")
  execute_process(COMMAND ${CXX} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only
    -I${ROOT}/include -x c++ ${ARGN} /dev/null
    RESULT_VARIABLE result ERROR_VARIABLE messages)
  if(result)
    set(failed "${failed}\n${messages}" PARENT_SCOPE)
  endif()
endfunction()
if(ALONE)
  foreach(header IN LISTS headers)
    compile(${header})
  endforeach()
else()
  compile(${headers})
endif()
if(failed)
  message(FATAL_ERROR "Public headers that do not compile:${failed}")
endif()

execute_process(COMMAND ${CXX} -std=c++20 -E -I${ROOT}/include -x c++ -include kdiag/kdiag.hpp /dev/null
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n#[^\n]*" "" text "${text}")  # line markers
string(REGEX REPLACE "\n[ \t\n]*" "\n" text "${text}")
string(REGEX MATCHALL "\n" newlines "${text}")
list(LENGTH newlines lines)
message("kdiag/kdiag.hpp: ${lines} lines after the preprocessor, ${budget} allowed")
if(lines GREATER budget)
  message(FATAL_ERROR "kdiag/kdiag.hpp has grown above its budget: which header does its include need no more?")
endif()

# The C interface: C99, alone, and light.
set(c_budget 1100)
execute_process(COMMAND ${CC} -std=c99 -Wall -Wextra -pedantic -Wconversion -Werror -fsyntax-only -I${ROOT}/include
  -x c -include kdiag/kdiag.h /dev/null RESULT_VARIABLE result ERROR_VARIABLE messages)
if(result)
  message(FATAL_ERROR "kdiag/kdiag.h is not C99:\n${messages}")
endif()
execute_process(COMMAND ${CC} -std=c99 -E -I${ROOT}/include -x c -include kdiag/kdiag.h /dev/null
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n#[^\n]*" "" text "${text}")
string(REGEX MATCHALL "\n" newlines "${text}")
list(LENGTH newlines lines)
message("kdiag/kdiag.h: ${lines} lines after the preprocessor, ${c_budget} allowed")
if(lines GREATER c_budget)
  message(FATAL_ERROR "kdiag/kdiag.h has grown above its budget")
endif()
