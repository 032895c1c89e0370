# SPDX-License-Identifier: BSD-3-Clause
# Tests mirror src/: tests/<folder>/<thing>_test.c is a program of its own and the test "<folder>/<thing>";
# tests/<folder>/<thing>_test.sh is run by sh with HYBRSIM (the program) and SOURCE (this project) in its environment.

include(CTest)
option(HYBRSIM_TESTS "Build the tests" ON)

# What the leak sanitizer is not to tell.
set(HBG_LEAKS "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.txt:print_suppressions=0")

# Shared by all tests, and compiled once: what stands in tests/support/*.c.
function(hbg_test_support)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
  add_library(hbg_test_support STATIC ${sources})
  target_include_directories(hbg_test_support PUBLIC
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(hbg_test_support PUBLIC
    HBG_SOURCE_FOLDER="${PROJECT_SOURCE_DIR}" HBG_PROGRAM="${PROJECT_BINARY_DIR}/hybrsim")
  target_link_libraries(hbg_test_support PUBLIC hybrsim hbg_compiler ${CMOCKA_LIBRARIES})
endfunction()

function(hbg_program_tests)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/*_test.c")
  foreach(source IN LISTS sources)
    get_filename_component(thing "${source}" NAME_WE)
    string(REGEX REPLACE "_test$" "" thing "${thing}")
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    if(folder STREQUAL "studio" AND NOT HBG_HAS_STUDIO)
      continue()
    endif()
    set(target ${folder}_${thing}_test)
    add_executable(${target} "${source}")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    target_link_libraries(${target} PRIVATE $<$<STREQUAL:${folder},studio>:hbg_studio> hbg_test_support)
    add_test(NAME ${folder}/${thing} COMMAND ${target})
    set_tests_properties(${folder}/${thing} PROPERTIES TIMEOUT 900 WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
      ENVIRONMENT "${HBG_LEAKS}")
  endforeach()
endfunction()

function(hbg_script_tests)
  # what a program outside needs to be linked against an instrumented library
  set(flags "")
  if(HYBRSIM_SANITIZE)
    string(APPEND flags " -fsanitize=${HYBRSIM_SANITIZE}")
  endif()
  if(HYBRSIM_COVERAGE)
    string(APPEND flags " --coverage")
  endif()
  file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/*_test.sh")
  foreach(script IN LISTS scripts)
    get_filename_component(thing "${script}" NAME_WE)
    string(REGEX REPLACE "_test$" "" thing "${thing}")
    get_filename_component(folder "${script}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    add_test(NAME ${folder}/${thing} COMMAND sh "${script}")
    set_tests_properties(${folder}/${thing} PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77 WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
      ENVIRONMENT "HYBRSIM=${PROJECT_BINARY_DIR}/hybrsim;SOURCE=${PROJECT_SOURCE_DIR};LIBRARY=$<TARGET_FILE:hybrsim>;SHARED_LIBRARY=$<TARGET_FILE:hybrsim-shared>;NM=${CMAKE_NM};BUILD=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER};CMAKE=${CMAKE_COMMAND};FLAGS=${flags};${HBG_LEAKS}")
  endforeach()
endfunction()

function(hbg_tests)
  if(NOT HYBRSIM_TESTS)
    return()
  endif()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(CMOCKA REQUIRED cmocka)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  hbg_test_support()
  hbg_program_tests()
  hbg_refusal(refusal_places_test)
  hbg_refusing_program()
  hbg_script_tests()
  # one builds its programs first, with another compiler; the other runs every model some thousand times
  set_tests_properties(fuzz/short refusal/places PROPERTIES TIMEOUT 1500)
  # frames are counted there
  set_tests_properties(studio/browser PROPERTIES RUN_SERIAL ON)
endfunction()
