# SPDX-License-Identifier: Apache-2.0
# Installs kdiag into a fresh folder and builds the examples embed.cpp and embed.c against it with find_package and with
# pkg-config: cmake -DKIND=static|shared|embedded|guest -DROOT=<repository> -DBUILD=<its build folder> -DCXX=<compiler>
# -DCC=<C compiler> -P install.cmake
# The shared library is built as part of a consumer that uses add_subdirectory. `embedded` is a static library that is
# built so in a project of C, without anything beside it and what that would need, and nothing is installed. `guest` is the
# same without building it, which takes seconds.
cmake_minimum_required(VERSION 3.25)
set(work ${BUILD}/install_test/${KIND})
set(prefix ${work}/prefix)
set(arguments ${ROOT}/examples/traces/item_storm.json ${ROOT}/examples/rules/loss_reads.yaml)
file(REMOVE_RECURSE ${prefix} ${work}/found)
file(MAKE_DIRECTORY ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
  endif()
endfunction()

function(build_consumer folder)
  run(${CMAKE_COMMAND} -S ${ROOT}/tests/install -B ${folder} -G Ninja
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC} ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
  if(EXISTS ${folder}/embed)
    run(${folder}/embed ${arguments})
  endif()
  run(${folder}/embed_c ${arguments})
endfunction()

set(from_source -DKDIAG_SOURCE=${ROOT} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
if(KIND STREQUAL "guest")
  run(${CMAKE_COMMAND} -S ${ROOT}/tests/install -B ${work} -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC}
    ${from_source} -DLANGUAGES=C)
  return()
endif()
if(KIND STREQUAL "embedded")
  build_consumer(${work}/embedded ${from_source} -DLANGUAGES=C
    -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON)
  file(GLOB_RECURSE beside ${work}/embedded/kdiag_cli* ${work}/embedded/*.dist-info)
  if(beside)
    message(FATAL_ERROR "the library alone was wanted: ${beside}")
  endif()
  return()
endif()
if(KIND STREQUAL "shared")
  build_consumer(${work}/embedded ${from_source} -DKDIAG_INSTALL=ON -DKDIAG_BUILD_CLI=ON -DBUILD_SHARED_LIBS=ON)
  run(${CMAKE_COMMAND} --install ${work}/embedded --prefix ${prefix})
else()
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
endif()

build_consumer(${work}/found -DCMAKE_PREFIX_PATH=${prefix})

file(GLOB_RECURSE pc ${prefix}/kdiag.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
get_filename_component(lib_folder ${pc_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
set(ENV{LD_LIBRARY_PATH} ${lib_folder})
if(KIND STREQUAL "shared")  # as on a machine that has the -dev packages of none of kdiag's own libraries
  set(ENV{PKG_CONFIG_LIBDIR} ${pc_folder})
endif()
execute_process(COMMAND pkg-config --cflags --libs kdiag
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
run(${CXX} -std=c++20 ${ROOT}/examples/embed.cpp ${flags} -o ${work}/embed_pkg_config)
run(${work}/embed_pkg_config ${arguments})
run(${CC} -std=c99 ${ROOT}/examples/embed.c ${flags} -o ${work}/embed_c_pkg_config)
run(${work}/embed_c_pkg_config ${arguments})
run(${prefix}/bin/kdiag --version)
if(KIND STREQUAL "shared")
  find_program(python python3 PATHS /usr/bin NO_DEFAULT_PATH)
  if(python)
    set(ENV{PYTHONPATH} ${prefix}/lib/python3/dist-packages)
    run(${python} -B -c "
import importlib.metadata, kdiag
assert importlib.metadata.version('kdiag') == kdiag.version() == kdiag.__version__, kdiag.version()")
  endif()
  run(${CMAKE_COMMAND} -DLIBRARY=${lib_folder}/libkdiag.so -DROOT=${ROOT} -DCXX_INTERFACE=ON
    -P ${ROOT}/tests/abi/symbols.cmake)
endif()
