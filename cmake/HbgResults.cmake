# SPDX-License-Identifier: BSD-3-Clause
# What results are read and drawn with: jansson is linked; of cairo only the headers are needed, it is loaded when the first
# PNG is asked for (docs/decisions/0016). HBG_RESULTS is the list to link, HBG_RESULTS_HEADERS where headers are found.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED jansson>=2.11)
pkg_check_modules(CAIRO REQUIRED cairo>=1.16)

set(HBG_RESULTS ${JANSSON_LINK_LIBRARIES} ${CMAKE_DL_LIBS})
set(HBG_RESULTS_HEADERS ${JANSSON_INCLUDE_DIRS} ${CAIRO_INCLUDE_DIRS})

# the language server of the program speaks JSON
set(HBG_JSON ${JANSSON_LINK_LIBRARIES})
set(HBG_JSON_HEADERS ${JANSSON_INCLUDE_DIRS})
