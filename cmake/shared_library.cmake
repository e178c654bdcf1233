# SPDX-License-Identifier: Apache-2.0
# What is so of every shared library of kdiag.
function(kdiag_shared_library library)
  # It exports its own interface and nothing else. What is hidden stays so; without the list the C++ library's own
  # templates would be exported as well, some hundreds of weak symbols that programs then bind to.
  set(list ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${library} PRIVATE -Wl,--version-script=${list})
  set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${list})
  # It stays where it is when a host closes it: what is read of the built-in rules is made once in a process and lives as
  # long, so that a library that went and came again would take 3 MB more each time.
  target_link_options(${library} PRIVATE -Wl,-z,nodelete)
endfunction()
