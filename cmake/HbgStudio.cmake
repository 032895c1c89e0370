# SPDX-License-Identifier: BSD-3-Clause
# The studio's page (apps/studio/page) becomes a part of the program: Vite builds it into the build folder, its files are compressed, and one C file takes
# them in. It is built when node is there and the page's libraries are installed, which `scripts/setup studio` does: nothing is downloaded here.
# Without them the program has everything else; HYBRSIM_STUDIO=ON makes that an error, OFF leaves the page out.

set(HYBRSIM_STUDIO AUTO CACHE STRING "Build the studio's page: AUTO, ON or OFF")
set_property(CACHE HYBRSIM_STUDIO PROPERTY STRINGS AUTO ON OFF)

# Sets `${result}` to the program node when the page can be built, else to "".
function(hbg_studio_node result)
  set(${result} "" PARENT_SCOPE)
  if(HYBRSIM_STUDIO STREQUAL "OFF")
    return()
  endif()
  set(lock "${PROJECT_SOURCE_DIR}/apps/studio/page/package-lock.json")
  set(installed "${PROJECT_SOURCE_DIR}/apps/studio/page/node_modules/.installed-lock")
  # scripts/setup touches it when it has installed the libraries, which the next build notices
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${lock}")
  find_program(HBG_NODE NAMES node nodejs)
  mark_as_advanced(HBG_NODE)
  set(missing "")
  if(NOT HBG_NODE)
    set(missing "node is not installed")
  elseif(NOT EXISTS "${installed}")
    set(missing "its libraries are not installed")
  else()
    file(SHA256 "${lock}" wanted)
    file(SHA256 "${installed}" present)
    if(NOT wanted STREQUAL present)
      set(missing "its libraries are of another version")
    endif()
  endif()
  if(missing AND HYBRSIM_STUDIO STREQUAL "ON")
    message(FATAL_ERROR "The studio's page cannot be built: ${missing}. `scripts/setup studio` installs what is missing.")
  elseif(missing)
    message(STATUS "Without the studio's page: ${missing} (scripts/setup studio)")
  else()
    set(${result} "${HBG_NODE}" PARENT_SCOPE)
  endif()
endfunction()

# hbg_studio_page(target): takes the page, or an empty list of files (page_files.h), into the program `target`.
function(hbg_studio_page target)
  set(page "${PROJECT_SOURCE_DIR}/apps/studio/page")
  set(folder "${PROJECT_BINARY_DIR}/studio/page")
  set(list "${PROJECT_BINARY_DIR}/studio/page_files.c")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/studio")
  hbg_studio_node(node)
  if(node)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${page}/src/*" "${page}/public/*")
    list(FILTER sources EXCLUDE REGEX "\\.test\\.tsx?$|/generated/")
    add_custom_command(OUTPUT "${list}"
      COMMAND "${CMAKE_COMMAND}" -E env "HYBRSIM_PAGE_FOLDER=${folder}" "${node}" node_modules/vite/bin/vite.js build --logLevel warn
      COMMAND "${node}" scripts/embed.js "${folder}" "${list}"
      WORKING_DIRECTORY "${page}" VERBATIM COMMENT "Building the studio's page"
      DEPENDS ${sources} "${page}/index.html" "${page}/vite.config.ts" "${page}/package-lock.json" "${page}/scripts/embed.js")
  else()
    set(list "${PROJECT_BINARY_DIR}/studio/no_page_files.c")
    file(CONFIGURE OUTPUT "${list}" CONTENT "#include \"page_files.h\"\n\nconst StudioPageFile studio_page_files[] = {{NULL, NULL, NULL, NULL, 0}};\n")
  endif()
  # objects of their own: they wait for nothing of the program
  add_library(hbg_studio_page OBJECT "${list}")
  target_include_directories(hbg_studio_page PRIVATE "${PROJECT_SOURCE_DIR}/apps/studio")
  target_link_libraries(hbg_studio_page PRIVATE hbg_compiler)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:hbg_studio_page>)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/apps/studio")
endfunction()
