# SPDX-License-Identifier: BSD-3-Clause
# A layer is a folder of src/. Its include path is a folder of the build tree with links to nothing but the layers it may
# know, so that an include against the arrows does not compile.

# Fills ${folder} with links to the public headers and to the named layers.
function(hbg_include_folder folder)
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/hybrsim" "${folder}/hybrsim" SYMBOLIC)
  foreach(layer IN LISTS ARGN)
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${layer}" "${folder}/${layer}" SYMBOLIC)
  endforeach()
endfunction()

# hbg_layer(name [DEPENDS layer...] [LINKS target...]): the layer src/<name>; what it links stays its own affair.
function(hbg_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "DEPENDS;LINKS")
  set_property(GLOBAL APPEND PROPERTY HBG_LINKS ${layer_LINKS})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.c")
  if(NOT sources)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/layers/${name}")
  hbg_include_folder("${folder}" ${name} ${layer_DEPENDS})
  add_library(hbg_${name} OBJECT ${sources})
  target_include_directories(hbg_${name} PRIVATE "${folder}")
  target_link_libraries(hbg_${name} PRIVATE hbg_compiler ${layer_LINKS})
  set_property(GLOBAL APPEND PROPERTY HBG_LAYERS hbg_${name})
endfunction()

# hbg_library(name): all layers in a static library, the target `name`, and in a shared one, `name`-shared.
function(hbg_library name)
  get_property(layers GLOBAL PROPERTY HBG_LAYERS)
  get_property(links GLOBAL PROPERTY HBG_LINKS)
  list(TRANSFORM layers PREPEND "$<TARGET_OBJECTS:" OUTPUT_VARIABLE objects)
  list(TRANSFORM objects APPEND ">")
  add_library(${name} STATIC ${objects})
  add_library(${name}-shared SHARED ${objects})
  foreach(target ${name} ${name}-shared)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
    target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:hbg_compiler>" ${links} m)
  endforeach()
  set_target_properties(${name} PROPERTIES EXPORT_NAME static)
  # before 1.0 every minor version may break programs
  set_target_properties(${name}-shared PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/hybrsim.map")
  target_link_options(${name}-shared PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/hybrsim.map")
endfunction()

# hbg_program(folder NAME program [LINKS library...] [HEADERS folder...]): the program of apps/<folder>, directly in the build folder. It sees the public headers and
# nothing else. It carries the library with it, which makes it start quicker than the shared one would.
function(hbg_program folder)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "NAME" "LINKS;HEADERS")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/${folder}/*.c")
  if(NOT sources)
    return()
  endif()
  set(target ${program_NAME}-program)
  add_executable(${target} ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${program_NAME}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/apps/${folder}")
  target_include_directories(${target} SYSTEM PRIVATE ${program_HEADERS})
  target_link_options(${target} PRIVATE -Wl,--as-needed)
  target_link_libraries(${target} PRIVATE hybrsim ${HBG_ARCHIVES} hbg_compiler ${program_LINKS})
endfunction()
