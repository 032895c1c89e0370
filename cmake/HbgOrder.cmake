# SPDX-License-Identifier: BSD-3-Clause
# Functions that most runs go through lie side by side in the program, so that a run that takes less than a millisecond meets half as many
# pages, and can ask for them in one go (apps/cli/warm.c). Which these are is listed in often.txt, made by scripts/order; a name that
# is not there any more, or not yet, does no harm. In front of them are those that choose between versions of a function when the program is loaded. Where the linker does not take such a script nothing is ordered.
include(CheckCSourceCompiles)

set(HBG_OFTEN_SCRIPT "${PROJECT_BINARY_DIR}/generated/often.ld")
set(HBG_ORDERED OFF)

function(hbg_write_order)
  file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/often.txt" names REGEX "^[A-Za-z_]")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/often.txt")
  set(sections "")
  foreach(name IN LISTS names)
    string(APPEND sections "    *(.text.${name} .text.${name}.*)\n")
  endforeach()
  file(CONFIGURE OUTPUT "${HBG_OFTEN_SCRIPT}" CONTENT "\
SECTIONS {
  .text.often : {
    hbg_often_begin = .;
    *(.text.*.resolver)
    *cpuinfo.o(.text .text.*)
${sections}    hbg_often_end = .;
  }
} INSERT BEFORE .text;
SECTIONS { .rodata.end : { hbg_constants_end = .; } } INSERT AFTER .rodata;
" @ONLY)
endfunction()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  hbg_write_order()
  set(CMAKE_REQUIRED_FLAGS "-ffunction-sections")
  set(CMAKE_REQUIRED_LINK_OPTIONS "-Wl,-T,${HBG_OFTEN_SCRIPT}")
  check_c_source_compiles("
    extern const char hbg_often_begin[], hbg_often_end[], hbg_constants_end[];
    int main(void) { return !hbg_often_begin[0] + !hbg_often_end[0] + !hbg_constants_end[0]; }" HBG_ORDERS)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(HBG_ORDERS)
    set(HBG_ORDERED ON)
    target_compile_options(hbg_compiler INTERFACE -ffunction-sections)
  endif()
endif()

# hbg_order(target): links it in this order.
function(hbg_order target)
  if(HBG_ORDERED)
    target_compile_definitions(${target} PRIVATE HBG_ORDERED)
    target_link_options(${target} PRIVATE "-Wl,-T,${HBG_OFTEN_SCRIPT}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${HBG_OFTEN_SCRIPT}")
  endif()
endfunction()
