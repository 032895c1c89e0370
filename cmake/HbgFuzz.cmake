# SPDX-License-Identifier: BSD-3-Clause
# Entries for libFuzzer: tests/fuzz/<thing>_fuzz.c is a program of its own, fuzz/<thing> in the build folder. Needs clang.

option(HYBRSIM_FUZZ "Build the entries for libFuzzer" OFF)

function(hbg_fuzzers)
  if(NOT HYBRSIM_FUZZ)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.c")
  foreach(source IN LISTS sources)
    get_filename_component(thing "${source}" NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" thing "${thing}")
    if(thing STREQUAL "studio" AND NOT HBG_HAS_STUDIO)
      add_custom_target(fuzz-studio) # nothing to be fuzzed
      continue()
    endif()
    add_executable(fuzz-${thing} "${source}")
    set_target_properties(fuzz-${thing} PROPERTIES OUTPUT_NAME ${thing} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    target_include_directories(fuzz-${thing} PRIVATE
      "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/tests")
    target_link_options(fuzz-${thing} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz-${thing} PRIVATE $<$<STREQUAL:${thing},studio>:hbg_studio> hybrsim hbg_compiler)
  endforeach()
endfunction()
