# SPDX-License-Identifier: Apache-2.0
# What a mistake in kdiag can do to whoever runs it, made smaller: flags of the compiler and the linker that end a process
# where memory was overrun, and keep what is overrun from being run. SECURITY.md says what each costs.
# A project that kdiag is part of has flags of its own: there it is off.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
option(KDIAG_HARDENING "Compile and link with what hardens a program" ${PROJECT_IS_TOP_LEVEL})

check_pie_supported()  # programs at addresses that nobody foresees
if(KDIAG_HARDENING AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  # Sanitizers see more than the other flags, and do not see what those have replaced.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
elseif(KDIAG_HARDENING)
  foreach(flag -fstack-protector-strong -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "KDIAG_HAS${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      add_compile_options(${flag})
    endif()
  endforeach()
  # The C library's own checks need an optimised build. Some compilers come with a level of theirs.
  add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# libstdc++ checks indices, iterators and optionals, where that costs nothing that can be measured: in targets that do
# nothing once for each row of a trace.
function(kdiag_check_library_use target)
  if(KDIAG_HARDENING)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
endfunction()
