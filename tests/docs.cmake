# SPDX-License-Identifier: Apache-2.0
# Checks the links and the code blocks of README.md and docs/*.md, the latter by the word after the fence:
#   cpp   compiles: whole files (they begin with the SPDX line or an include), and bodies of functions
#   c     compiles as C99: bodies of functions
#   yaml  is a rule file that `kdiag rules check` accepts, when its first line is "kdiag: 1"; with tests in it they hold;
#         a test file whose tests hold, when its first line is "kdiag_test: 1", as from examples/rules; a mapping that
#         `kdiag formats check` accepts, when its first line is "kdiag_map: 1"
#         a project file that `kdiag config show` accepts, when its first line is "kdiag_project: 1"
#   lua   is a rule file in Lua that `kdiag rules check` accepts; with tests in it they hold; what is for Neovim is run by
#         tests/cli/neovim_test.sh
#   sh    runs without a failure, beside `examples`, the last yaml block as loss_reads.yaml, and each yaml and lua block
#         under the second part of the id of its first rule: team.growing-steps as growing_steps.lua
# cmake -DROOT=<repository> -DWORK=<scratch folder> -DCXX=<compiler> -DCC=<C compiler> -DKDIAG=<command> -P docs.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/shell)
file(CREATE_LINK ${ROOT}/examples ${WORK}/shell/examples SYMBOLIC)
set(failed "")
set(checked 0)

function(check_block page number language text)
  set(file ${WORK}/${page}.${number}.${language})
  if(language STREQUAL "cpp")
    if(NOT text MATCHES "^(// SPDX|#include)")
      set(text "#include <iostream>\n#include <kdiag/kdiag.hpp>\nint body() {\n${text}  return 0;\n}\n")
    endif()
    set(command ${CXX} -std=c++20 -Wall -Wextra -Werror -Wno-unused -Wno-missing-field-initializers -fsyntax-only
      -I${ROOT}/include -I${ROOT} ${file})
  elseif(language STREQUAL "c")
    set(text "#include <stdio.h>\n#include <kdiag/kdiag.h>\nint body(void) {\n${text}  return 0;\n}\n")
    set(command ${CC} -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I${ROOT}/include ${file})
  elseif(language STREQUAL "yaml" AND text MATCHES "^kdiag: 1\n")
    set(command ${KDIAG} rules check ${file})
    if(text MATCHES "\n  tests:\n")
      set(command ${KDIAG} rules test ${file})
    endif()
  elseif(language STREQUAL "yaml" AND text MATCHES "^kdiag_test: 1\n")
    set(command ${KDIAG} rules test ${file})
  elseif(language STREQUAL "yaml" AND text MATCHES "^kdiag_map: 1\n")
    set(command ${KDIAG} formats check ${file})
  elseif(language STREQUAL "yaml" AND text MATCHES "^kdiag_project: 1\n")
    set(command ${KDIAG} config show --config ${file})
  elseif(language STREQUAL "lua" AND NOT text MATCHES "vim\\.")
    set(command ${KDIAG} rules check ${file})
    if(text MATCHES "\n  tests = ")
      set(command ${KDIAG} rules test ${file})
    endif()
    string(REGEX MATCH "id = \"[a-z-]*\\.([a-z-]*)\"" id "${text}")
    string(REPLACE "-" "_" id "${CMAKE_MATCH_1}")
    file(WRITE ${WORK}/shell/${id}.lua "${text}")
  elseif(language STREQUAL "sh")
    get_filename_component(folder ${KDIAG} DIRECTORY)
    set(command ${CMAKE_COMMAND} -E env PATH=${folder}:$ENV{PATH} bash -eo pipefail ${file})
  else()
    return()
  endif()
  string(REPLACE "[loss_reads.yaml" "[${ROOT}/examples/rules/loss_reads.yaml" text "${text}")
  string(REPLACE "trace: ../traces" "trace: ${ROOT}/examples/traces" text "${text}")
  file(WRITE ${file} "${text}")
  if(language STREQUAL "yaml" AND NOT text MATCHES "^kdiag_(map|project): 1\n")  # commands of the page speak of the file by its name in the examples
    file(WRITE ${WORK}/shell/loss_reads.yaml "${text}")
    if(text MATCHES "- rule: [a-z-]*\\.([a-z-]*)\n")
      string(REPLACE "-" "_" id "${CMAKE_MATCH_1}")
      file(WRITE ${WORK}/shell/${id}.yaml "${text}")
    endif()
  endif()
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORK}/shell RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result)
    set(failed "${failed}\n${page}, ${language} block ${number}:\n${output}" PARENT_SCOPE)
  endif()
  math(EXPR checked "${checked} + 1")
  set(checked ${checked} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE pages RELATIVE ${ROOT} ${ROOT}/README.md ${ROOT}/docs/*.md)
list(FILTER pages EXCLUDE REGEX "^build/")  # libraries that are compiled for a release
list(FILTER pages EXCLUDE REGEX "/node_modules/")  # of what npm installed beside an extension of an editor
foreach(page IN LISTS pages)
  file(READ ${ROOT}/${page} rest)
  string(REPLACE "/" "_" name ${page})
  get_filename_component(folder ${ROOT}/${page} DIRECTORY)
  string(REPLACE "](" "@(" linked "${rest}")  # a bracket that nothing opens would join the entries of the list
  string(REGEX MATCHALL "@\\([A-Za-z0-9_./-]+\\.(md|json|yaml)\\)" links "${linked}")
  foreach(link IN LISTS links)
    string(REGEX REPLACE "[@()]" "" link "${link}")
    if(NOT EXISTS ${folder}/${link})
      string(APPEND failed "\n${page} links to ${link}, which is not there")
    endif()
  endforeach()

  set(number 0)
  while(TRUE)
    string(FIND "${rest}" "\n```" open)
    if(open EQUAL -1)
      break()
    endif()
    math(EXPR open "${open} + 4")
    string(SUBSTRING "${rest}" ${open} -1 rest)
    string(FIND "${rest}" "\n" line_end)
    string(SUBSTRING "${rest}" 0 ${line_end} language)
    string(FIND "${rest}" "\n```" close)
    math(EXPR begin "${line_end} + 1")
    math(EXPR length "${close} - ${line_end}")
    math(EXPR number "${number} + 1")
    if(language)
      string(SUBSTRING "${rest}" ${begin} ${length} text)
      check_block(${name} ${number} ${language} "${text}")
    endif()
    math(EXPR close "${close} + 4")
    string(SUBSTRING "${rest}" ${close} -1 rest)
  endwhile()
endforeach()

# The report that README.md shows is the one that the command prints.
execute_process(COMMAND ${KDIAG} examples/traces/item_storm.json WORKING_DIRECTORY ${ROOT}
  OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
file(READ ${ROOT}/README.md readme)
string(FIND "${readme}" "${report}" shown)
if(shown EQUAL -1)
  string(APPEND failed "\nREADME.md shows another report than `kdiag examples/traces/item_storm.json` prints:\n${report}")
endif()

if(failed)
  message(FATAL_ERROR "The documents do not work:${failed}")
endif()
message("${checked} code blocks checked")
