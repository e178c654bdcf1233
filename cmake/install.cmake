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
set(pc_cflags "")
if(NOT BUILD_SHARED_LIBS)
  set(pc_cflags " -DKDIAG_STATIC")
endif()
set(pc_lua "")
if(KDIAG_LUA)
  set(pc_lua " ${LUA_MODULE_NAME}")
endif()
configure_file(cmake/kdiag.pc.in kdiag.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kdiag.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT kdiag_dev)

# kdiag_cli: the command, which finds the library beside it wherever both are unpacked.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(kdiag_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
install(TARGETS kdiag_cli RUNTIME COMPONENT kdiag_cli)

# kdiag_rules: the built-in rules for people to read; the library has them inside.
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kdiag/rules COMPONENT kdiag_rules
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.lua")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The kdiag authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL kdiag_runtime kdiag_dev kdiag_cli kdiag_rules)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_KDIAG_RUNTIME_PACKAGE_NAME libkdiag0)
set(CPACK_DEBIAN_KDIAG_DEV_PACKAGE_NAME libkdiag-dev)
set(CPACK_DEBIAN_KDIAG_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_KDIAG_CLI_PACKAGE_NAME kdiag)
set(CPACK_DEBIAN_KDIAG_RULES_PACKAGE_NAME kdiag-rules)
set(CPACK_DEBIAN_KDIAG_RULES_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_KDIAG_DEV_DEPENDS kdiag_runtime)
set(CPACK_COMPONENT_KDIAG_CLI_DEPENDS kdiag_runtime)
include(CPack)
