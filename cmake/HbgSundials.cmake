# SPDX-License-Identifier: BSD-3-Clause
# SUNDIALS, CVODE with KLU, from version 6.4 on: HBG_SUNDIALS is the list of targets to link.

# the package asks for OpenMP, which only its threaded vectors need; an empty target answers it
if(NOT TARGET OpenMP::OpenMP_C)
  add_library(OpenMP::OpenMP_C INTERFACE IMPORTED GLOBAL)
endif()

find_package(SUNDIALS 6.4 QUIET COMPONENTS cvode nvecserial sunmatrixsparse sunlinsolklu)
if(NOT TARGET SUNDIALS::cvode)
  # versions are declared compatible by their first number only
  find_package(SUNDIALS 7 REQUIRED COMPONENTS cvode nvecserial sunmatrixsparse sunlinsolklu)
endif()

set(HBG_SUNDIALS SUNDIALS::cvode SUNDIALS::nvecserial SUNDIALS::sunmatrixsparse SUNDIALS::sunlinsolklu)
if(TARGET SUNDIALS::core)
  # since 7.0; built with MPI its headers include mpi.h
  list(APPEND HBG_SUNDIALS SUNDIALS::core)
  find_package(MPI QUIET COMPONENTS C)
endif()
