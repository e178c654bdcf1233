# SPDX-License-Identifier: Apache-2.0
# The C interface alone as a shared library, of the objects of a static build: the target kdiag_c, which is what the Python
# package loads. With KDIAG_C_LIBRARY_SYSROOT it is linked with the C library of an older system, and has the C++ library
# inside: it runs where that C library or a later one is.
set(KDIAG_C_LIBRARY_SYSROOT "" CACHE PATH "The system whose C library the shared C interface is linked with")

function(kdiag_add_c_library)
  get_target_property(compact_objects kdiag KDIAG_COMPACT_OBJECTS)
  add_library(kdiag_c SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:kdiag> ${compact_objects})
  target_link_libraries(kdiag_c PRIVATE ${kdiag_link_libraries})
  kdiag_shared_library(kdiag_c)
  set_target_properties(kdiag_c PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME kdiag SOVERSION 0 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/c)
  if(NOT KDIAG_C_LIBRARY_SYSROOT)
    kdiag_compact_relocations(kdiag_c)
    return()
  endif()
  set(older_libc ${PROJECT_SOURCE_DIR}/cmake/older_libc.c)
  target_sources(kdiag_c PRIVATE ${older_libc})
  # Its versions of symbols are assembly outside of functions, which optimisation at link time loses.
  set_source_files_properties(${older_libc} PROPERTIES COMPILE_OPTIONS -fno-lto SKIP_UNITY_BUILD_INCLUSION ON)
  # Threads were a library of their own. The unwinder is that of the older system, too: a later one asks the C library for
  # what it does not have.
  target_link_libraries(kdiag_c PRIVATE pthread dl)
  file(GLOB unwinder ${KDIAG_C_LIBRARY_SYSROOT}/usr/lib/gcc/*/*/libgcc_eh.a)
  cmake_path(GET unwinder PARENT_PATH unwinder)
  target_link_options(kdiag_c PRIVATE --sysroot=${KDIAG_C_LIBRARY_SYSROOT}
    -B${KDIAG_C_LIBRARY_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} -L${unwinder} -static-libstdc++ -static-libgcc
    -Wl,--no-as-needed,--gc-sections,-z,defs)
endfunction()
