# SPDX-License-Identifier: Apache-2.0
# Compares what the shared library exports of the C interface with tests/abi/symbols.txt, and its SONAME with the
# version of the ABI: cmake -DLIBRARY=<libkdiag.so> -DROOT=<repository> -P symbols.cmake
# A symbol that is missing breaks programs that were linked before; a new one is added to the list, once, for ever.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND nm -D --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " kdiag_[a-z_0-9]+\n" exported "${symbols}")
list(TRANSFORM exported STRIP)
list(SORT exported)
file(STRINGS ${ROOT}/tests/abi/symbols.txt expected)
set(lost ${expected})
set(new ${exported})
list(REMOVE_ITEM lost ${exported})
list(REMOVE_ITEM new ${expected})
if(lost OR new)
  message(FATAL_ERROR "The C interface has changed.\nNo longer exported: ${lost}\nNot in tests/abi/symbols.txt: ${new}")
endif()

execute_process(COMMAND objdump -p ${LIBRARY} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
if(NOT headers MATCHES "SONAME +libkdiag\\.so\\.0\n")
  message(FATAL_ERROR "The SONAME is not libkdiag.so.0:\n${headers}")
endif()
list(LENGTH exported count)
message("${count} functions of the C interface")
