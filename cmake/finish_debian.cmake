# SPDX-License-Identifier: Apache-2.0
# CPack runs this after it made the Debian packages. It gives a package with a shared library maintainer scripts that call
# ldconfig, which the trigger beside them does already (Debian policy, 8.1.1), and no list of its symbols.
find_program(dpkg_deb dpkg-deb REQUIRED)
find_program(dpkg_gensymbols dpkg-gensymbols)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  cmake_path(GET package FILENAME name)
  if(NOT name MATCHES "^(lib[a-z]+[0-9]+)_([^-]+)-")
    continue()
  endif()
  set(library ${CMAKE_MATCH_1})
  set(version ${CMAKE_MATCH_2})
  set(tree ${CPACK_TEMPORARY_DIRECTORY}/${library}.tree)
  file(REMOVE_RECURSE ${tree})
  execute_process(COMMAND ${dpkg_deb} --raw-extract ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
  if(dpkg_gensymbols)
    # It wants a source package around it, of which the name is all that it reads.
    file(WRITE ${tree}.source/debian/control "Source: kdiag\n\nPackage: ${library}\nArchitecture: any\n")
    execute_process(COMMAND ${dpkg_gensymbols} -q -v${version} -p${library} -P${tree} -O${tree}/DEBIAN/symbols
      WORKING_DIRECTORY ${tree}.source COMMAND_ERROR_IS_FATAL ANY)
  endif()
  execute_process(COMMAND ${dpkg_deb} --root-owner-group --build ${tree} ${package} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
