# SPDX-License-Identifier: Apache-2.0
# A toolchain file: Debian's compiler for an architecture, with the headers and libraries of an unpacked Debian:
# cmake -DCMAKE_TOOLCHAIN_FILE=cmake/sysroot.cmake -DKDIAG_ARCHITECTURE=x86_64|aarch64 -DCMAKE_SYSROOT=<folder>
# Where this machine is of another architecture, an emulator runs what is run while kdiag is built.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KDIAG_ARCHITECTURE)
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL KDIAG_ARCHITECTURE)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${KDIAG_ARCHITECTURE})
  # Run paths in programs name folders below the sysroot, where a library that was just built is not.
  set(CMAKE_CROSSCOMPILING_EMULATOR
    qemu-${KDIAG_ARCHITECTURE}-static -L ${CMAKE_SYSROOT} -E LD_LIBRARY_PATH=${CMAKE_BINARY_DIR})
endif()
set(CMAKE_C_COMPILER ${KDIAG_ARCHITECTURE}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${KDIAG_ARCHITECTURE}-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${KDIAG_ARCHITECTURE}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
  ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
# A compiler for this machine would take its C library.
set(CMAKE_EXE_LINKER_FLAGS_INIT -B${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
