# SPDX-License-Identifier: Apache-2.0
# Code of which an optimised build is compiled for size, since little or nothing in it runs once for each row of a trace: it
# is a quarter to a third smaller. Comparing and the page do go through rows, and cost some hundredths more for it, fleets a tenth.
# The objects are also the property KDIAG_COMPACT_OBJECTS of the target kdiag: TARGET_OBJECTS does not count them.
function(kdiag_compile_compactly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # a third of their compile time, for a run that hardly is longer
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

function(kdiag_compact_folder name)
  set(part kdiag_${name})
  add_library(${part} OBJECT ${ARGN})
  kdiag_group(${part} ${name} SOURCES ${ARGN})
  target_link_libraries(${part} PRIVATE kdiag_needs)
  kdiag_compile_compactly(${part})
  kdiag_check_library_use(${part})
  target_sources(kdiag PRIVATE $<TARGET_OBJECTS:${part}>)
  set_property(TARGET kdiag APPEND PROPERTY KDIAG_COMPACT_OBJECTS $<TARGET_OBJECTS:${part}>)
endfunction()
