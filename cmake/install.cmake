# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in four components, and the Debian packages that CPack makes of them.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kdiag)

# kdiag_runtime: the shared library. kdiag_dev: what is needed to link with it, or the static one.
install(TARGETS kdiag EXPORT kdiagTargets
  LIBRARY COMPONENT kdiag_runtime NAMELINK_COMPONENT kdiag_dev
  ARCHIVE COMPONENT kdiag_dev
  FILE_SET HEADERS COMPONENT kdiag_dev)
install(EXPORT kdiagTargets NAMESPACE kdiag:: DESTINATION ${config_dir} COMPONENT kdiag_dev)

configure_package_config_file(cmake/kdiagConfig.cmake.in kdiagConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(kdiagConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kdiagConfig.cmake ${PROJECT_BINARY_DIR}/kdiagConfigVersion.cmake
  DESTINATION ${config_dir} COMPONENT kdiag_dev)

file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# A shared library brings what it is linked with: named there, pkg-config would want the -dev packages of all of it. A static
# one is linked with all of it, also by who does not say --static, and by a compiler of C.
set(pc_cflags "")
set(pc_needs "")
if(NOT BUILD_SHARED_LIBS)
  set(pc_cflags " -DKDIAG_STATIC")
  set(pc_libraries "")
  set(pc_modules "")
  if(KDIAG_ARCHIVES)
    string(APPEND pc_libraries " -larchive")
  endif()
  if(KDIAG_SQLITE)
    string(APPEND pc_modules " sqlite3")
  endif()
  if(KDIAG_LUA)
    string(APPEND pc_modules " ${KDIAG_LUA_MODULE_NAME}")
  endif()
  string(CONCAT pc_needs "${pc_libraries} -lstdc++ -lm -pthread"
    "\nRequires: yaml-cpp re2 libisal libzstd liblzma${pc_modules}")
endif()
configure_file(cmake/kdiag.pc.in kdiag.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kdiag.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT kdiag_dev)

# kdiag_cli: the command, which finds the library beside it wherever both are unpacked, and where they were built: a path
# that is replaced on installing ends in empty elements until then, and an empty element is the working directory, in which
# a stranger's trace may lie beside a stranger's library.
if(TARGET kdiag_cli)
  set_target_properties(kdiag_cli PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set(built_to_lib $<PATH:RELATIVE_PATH,$<TARGET_FILE_DIR:kdiag>,$<TARGET_FILE_DIR:kdiag_cli>>)
    set_target_properties(kdiag_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib};$ORIGIN/${built_to_lib}")
  endif()
  install(TARGETS kdiag_cli RUNTIME COMPONENT kdiag_cli)
endif()
set(with_documents OFF)
if(TARGET kdiag_cli)
  get_target_property(with_documents kdiag_cli KDIAG_RUNS_HERE)
endif()
if(with_documents)
  set(documents ${PROJECT_BINARY_DIR}/generated)
  install(FILES ${documents}/kdiag.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT kdiag_cli)
  install(FILES ${documents}/kdiag.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME kdiag COMPONENT kdiag_cli)
  install(FILES ${documents}/kdiag.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
    RENAME _kdiag COMPONENT kdiag_cli)
  install(FILES ${documents}/kdiag.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    RENAME kdiag.fish COMPONENT kdiag_cli)
endif()

# kdiag_python: the Python package, which loads the shared library.
if(BUILD_SHARED_LIBS)
  install(DIRECTORY python/kdiag DESTINATION lib/python3/dist-packages COMPONENT kdiag_python
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
  # What importlib.metadata and pip know of it.
  set(metadata ${PROJECT_BINARY_DIR}/generated/kdiag-${PROJECT_VERSION}.dist-info)
  configure_file(cmake/python_metadata.in ${metadata}/METADATA @ONLY)
  file(WRITE ${metadata}/INSTALLER "cmake\n")
  install(DIRECTORY ${metadata} DESTINATION lib/python3/dist-packages COMPONENT kdiag_python)
endif()

# kdiag_rules: the built-in rules for people to read; the library has them inside.
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kdiag/rules COMPONENT kdiag_rules
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.lua")

set(CPACK_PACKAGE_CONTACT "The kdiag authors <maintainers@kdiag.invalid>")
set(CPACK_DEBIAN_PACKAGE_RELEASE 0kdiag1)  # before the first of Debian's own

# Debian wants licence and changes in each package, the latter compressed in one way only: those of kdiag, and in a format
# of its own those of the package, which is dated by SOURCE_DATE_EPOCH where that is set.
find_program(KDIAG_GZIP gzip)
if(KDIAG_GZIP)
  set(changes ${PROJECT_BINARY_DIR}/generated/changes)
  string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(cmake/debian_changelog.in ${changes}/changelog.Debian @ONLY)
  configure_file(CHANGELOG.md ${changes}/changelog COPYONLY)
  foreach(name changelog changelog.Debian)
    execute_process(COMMAND ${KDIAG_GZIP} -9nc ${changes}/${name} OUTPUT_FILE ${changes}/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
function(add_package component package)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package} PARENT_SCOPE)
  install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  if(KDIAG_GZIP)
    install(FILES ${changes}/changelog.gz ${changes}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  endif()
endfunction()
add_package(kdiag_runtime libkdiag0)
add_package(kdiag_dev libkdiag-dev)
add_package(kdiag_cli kdiag)
add_package(kdiag_rules kdiag-rules)

set(CPACK_GENERATOR DEB)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/finish_debian.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL kdiag_runtime kdiag_dev kdiag_rules)
if(TARGET kdiag_cli)
  list(APPEND CPACK_COMPONENTS_ALL kdiag_cli)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(CMAKE_CROSSCOMPILING)  # dpkg would say the architecture of this machine
  set(debian_aarch64 arm64)
  set(debian_x86_64 amd64)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${debian_${CMAKE_SYSTEM_PROCESSOR}})
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_KDIAG_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/triggers)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_KDIAG_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_KDIAG_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_KDIAG_RULES_PACKAGE_ARCHITECTURE all)
set(what "kdiag reads the traces and telemetry that people already have, whatever
tool made them, judges them by rules that people can read and write, and
prints few, ranked, explained findings.")
set(CPACK_COMPONENT_KDIAG_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}, library\n${what}\nThis package has the library.")
set(CPACK_COMPONENT_KDIAG_DEV_DESCRIPTION "${PROJECT_DESCRIPTION}, headers\n${what}\nThis package has what programs need to be built with the\nlibrary.")
set(CPACK_COMPONENT_KDIAG_CLI_DESCRIPTION "${PROJECT_DESCRIPTION}, command\n${what}\nThis package has the command.")
set(CPACK_COMPONENT_KDIAG_RULES_DESCRIPTION "${PROJECT_DESCRIPTION}, rules\n${what}\nThis package has the built-in rules for reading.")
set(CPACK_COMPONENT_KDIAG_DEV_DEPENDS kdiag_runtime)
set(CPACK_COMPONENT_KDIAG_CLI_DEPENDS kdiag_runtime)
if(BUILD_SHARED_LIBS)
  add_package(kdiag_python python3-kdiag)
  list(APPEND CPACK_COMPONENTS_ALL kdiag_python)
  set(CPACK_DEBIAN_KDIAG_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_KDIAG_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_KDIAG_PYTHON_PACKAGE_DEPENDS "python3")
  set(CPACK_DEBIAN_KDIAG_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
  set(CPACK_COMPONENT_KDIAG_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}, Python\n${what}\nThis package has the Python module.")
  set(CPACK_COMPONENT_KDIAG_PYTHON_DEPENDS kdiag_runtime)
endif()
include(CPack)
