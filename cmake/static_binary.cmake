# SPDX-License-Identifier: Apache-2.0
# KDIAG_STATIC_BINARY makes the command one file that needs no other, not even the C library, and runs on any Linux of its
# architecture. scripts/release makes one; elsewhere it wants an archive of each library, also of ISA-L.
option(KDIAG_STATIC_BINARY "Link the command with all that it needs: one file for any Linux" OFF)

if(KDIAG_STATIC_BINARY)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_compile_options(-ffunction-sections -fdata-sections)  # what nothing calls is left out
  # Hostile input meets addresses that nobody foresees here, too. As an option of the link, `-pie` would come behind it and undo it.
  set(CMAKE_CXX_LINK_OPTIONS_PIE -static-pie)
endif()

# Names what an archive calls for: pkg-config --static names what all of its members could, a third of which is not linked.
function(kdiag_archive_needs target)
  if(KDIAG_STATIC_BINARY)
    foreach(name IN LISTS ARGN)
      find_library(KDIAG_ARCHIVE_${name} ${name} REQUIRED)
      mark_as_advanced(KDIAG_ARCHIVE_${name})
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${KDIAG_ARCHIVE_${name}})
    endforeach()
  endif()
endfunction()

# The archive of a library whose package names the shared one.
function(kdiag_use_archive target name)
  if(KDIAG_STATIC_BINARY)
    find_library(KDIAG_ARCHIVE_${name} ${name} REQUIRED)
    mark_as_advanced(KDIAG_ARCHIVE_${name})
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS configurations)
      set_property(TARGET ${target} PROPERTY IMPORTED_LOCATION_${configuration} ${KDIAG_ARCHIVE_${name}})
    endforeach()
  endif()
endfunction()

function(kdiag_link_statically program)
  if(KDIAG_STATIC_BINARY)
    # Whole, and first: of functions that several files have the linker keeps the first, which is then not the one that is
    # compiled for size.
    target_link_options(${program} PRIVATE LINKER:--gc-sections,--whole-archive,$<TARGET_FILE:kdiag>,--no-whole-archive)
    kdiag_compact_relocations(${program})
  endif()
endfunction()
