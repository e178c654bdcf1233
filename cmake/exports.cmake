# SPDX-License-Identifier: Apache-2.0
# What a shared library of kdiag exports: its own interface and nothing else. What is hidden stays so; without the list
# the C++ library's own templates would be exported as well, some hundreds of weak symbols that programs then bind to.
function(kdiag_limit_exports library)
  set(list ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${library} PRIVATE -Wl,--version-script=${list})
  set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${list})
endfunction()
