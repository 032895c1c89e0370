# SPDX-License-Identifier: BSD-3-Clause
# The library of submodels, library/*.hbg, becomes a part of the program, so that it is found wherever the program is, and is
# installed as text to be read.

# Writes src/api/library_files.h's list to ${output}.
function(hbg_write_library output)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/library/*.hbg")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(bytes "")
  set(list "")
  set(number 0)
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" hex "${hex}")
    string(APPEND bytes "static const unsigned char file_${number}[] = {\n${hex}0};\n")
    string(APPEND list "  {\"${name}\", file_${number}, sizeof file_${number} - 1},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(text "/* Made from library/ by cmake/HbgLibrary.cmake. */\n#include \"api/library_files.h\"\n\n${bytes}
const HbgLibraryFile hbg_library_files[] = {\n${list}  {NULL, NULL, 0}};\n")
  set(old "")
  if(EXISTS "${output}")
    file(READ "${output}" old)
  endif()
  if(NOT "${old}" STREQUAL "${text}")
    file(WRITE "${output}" "${text}")
  endif()
endfunction()

function(hbg_submodel_library)
  hbg_write_library("${PROJECT_BINARY_DIR}/generated/library_files.c")
  target_sources(hbg_api PRIVATE "${PROJECT_BINARY_DIR}/generated/library_files.c")
endfunction()
