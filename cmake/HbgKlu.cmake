# SPDX-License-Identifier: BSD-3-Clause
# KLU of SuiteSparse, sparse factors: HBG_KLU is the library to link, and HBG_KLU_HEADERS is where klu.h stands.

find_path(HBG_KLU_HEADERS klu.h PATH_SUFFIXES suitesparse REQUIRED)
set(HBG_KLU klu)
