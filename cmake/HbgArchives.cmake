# SPDX-License-Identifier: BSD-3-Clause
# The program has the numerical libraries inside, where the system has archives of them: to find and to load nine shared ones
# takes longer than to simulate a small model. HBG_ARCHIVES is what to link in front of the shared ones, which then are not
# needed; empty where an archive is missing or does not link.

option(HYBRSIM_ARCHIVES "Link the program statically against SUNDIALS, KLU and jansson where there are archives" ON)

include(CheckCSourceCompiles)

function(hbg_find_archives)
  set(archives "")
  foreach(name IN ITEMS sundials_cvode sundials_nvecserial sundials_sunmatrixsparse sundials_sunlinsolklu sundials_generic
                        sundials_core klu amd colamd btf suitesparseconfig jansson)
    find_library(HBG_ARCHIVE_${name} "lib${name}.a")
    mark_as_advanced(HBG_ARCHIVE_${name})
    if(HBG_ARCHIVE_${name})
      list(APPEND archives "${HBG_ARCHIVE_${name}}")
    endif()
  endforeach()
  set(archives -Wl,--start-group ${archives} -Wl,--end-group)
  set(CMAKE_REQUIRED_LIBRARIES ${archives} m)
  check_c_source_compiles("
    int CVodeInit(void), N_VNew_Serial(void), SUNSparseMatrix(void), SUNLinSol_KLU(void), klu_factor(void), json_loads(void);
    int main(void) { return CVodeInit() + N_VNew_Serial() + SUNSparseMatrix() + SUNLinSol_KLU() + klu_factor() + json_loads(); }
    " HBG_ARCHIVES_LINK)
  if(HBG_ARCHIVES_LINK)
    set(HBG_ARCHIVES ${archives} PARENT_SCOPE)
  endif()
endfunction()

set(HBG_ARCHIVES "")
if(HYBRSIM_ARCHIVES)
  hbg_find_archives()
endif()
