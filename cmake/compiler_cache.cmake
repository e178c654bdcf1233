# SPDX-License-Identifier: Apache-2.0
# KDIAG_CCACHE compiles through ccache, where that is installed and runs (one whose file may not be executed is found, too).
option(KDIAG_CCACHE "Compile through ccache, where it is installed" OFF)
if(KDIAG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(KDIAG_CCACHE_PROGRAM ccache)
  mark_as_advanced(KDIAG_CCACHE_PROGRAM)
  if(KDIAG_CCACHE_PROGRAM)
    execute_process(COMMAND ${KDIAG_CCACHE_PROGRAM} --version RESULT_VARIABLE ccache_result OUTPUT_QUIET ERROR_QUIET)
    if(ccache_result EQUAL 0)
      set(CMAKE_C_COMPILER_LAUNCHER ${KDIAG_CCACHE_PROGRAM})
      set(CMAKE_CXX_COMPILER_LAUNCHER ${KDIAG_CCACHE_PROGRAM})
    endif()
  endif()
endif()
