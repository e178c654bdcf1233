# SPDX-License-Identifier: Apache-2.0
# Compares what the shared library exports of the C interface with tests/abi/symbols.txt, looks that the rest is of the
# C++ interface, and its SONAME that of the ABI: cmake -DLIBRARY=<libkdiag.so> -DROOT=<repository> -DCXX_INTERFACE=ON
# -P symbols.cmake. Without CXX_INTERFACE a library of the objects of a static one will do, which hides it.
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

# Functions and types of the namespace kdiag; templates of the standard library over them are not.
string(REGEX MATCHALL " [A-Za-z] [^\n]+" others "${symbols}")
list(FILTER others EXCLUDE REGEX "^ [A-Za-z] kdiag_")
set(of_kdiag ${others})
list(FILTER of_kdiag INCLUDE REGEX "^ [A-Za-z] _Z(GV|T[ISTVhv][0-9n_]*)?Z?N[KOR]?5kdiag")
list(REMOVE_ITEM others ${of_kdiag})
if(others)
  list(JOIN others "\n" others)
  message(FATAL_ERROR "Exported, and not of kdiag:\n${others}")
endif()
list(LENGTH of_kdiag of_cxx)
if(CXX_INTERFACE AND of_cxx LESS 100)
  message(FATAL_ERROR "The C++ interface is not exported: ${of_cxx} symbols")
endif()

execute_process(COMMAND objdump -p ${LIBRARY} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
if(NOT headers MATCHES "SONAME +libkdiag\\.so\\.0\n")
  message(FATAL_ERROR "The SONAME is not libkdiag.so.0:\n${headers}")
endif()
list(LENGTH exported count)
message("${count} functions of the C interface, ${of_cxx} symbols of the C++ interface, no other")
