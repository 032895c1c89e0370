# SPDX-License-Identifier: BSD-3-Clause
# libtcc, by which the program compiles equations in memory, where it is installed: HBG_TCC is what to link. Without it the program
# does so with the system's compiler alone. Distributions have it as a static library that no shared one can take in, which is why
# it belongs to the program and not to the library.
option(HYBRSIM_TCC "Compile equations in memory with libtcc where it is found" ON)

set(HBG_TCC "")
set(HBG_TCC_INCLUDE "")
if(HYBRSIM_TCC AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  find_path(HBG_TCC_HEADERS libtcc.h)
  find_library(HBG_TCC_LIBRARY tcc)
  mark_as_advanced(HBG_TCC_HEADERS HBG_TCC_LIBRARY)
  if(HBG_TCC_HEADERS AND HBG_TCC_LIBRARY)
    set(HBG_TCC ${HBG_TCC_LIBRARY})
    set(HBG_TCC_INCLUDE ${HBG_TCC_HEADERS})
  endif()
endif()

# hbg_tcc(target): tells a program that it has libtcc.
function(hbg_tcc target)
  if(HBG_TCC)
    target_compile_definitions(${target} PRIVATE HBG_HAS_TCC)
  endif()
endfunction()
