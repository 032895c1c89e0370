# SPDX-License-Identifier: BSD-3-Clause
# Programs whose memory can be refused at will: tests/refusal/refuse.c stands between them and the arena and malloc.

# hbg_refusal(target): puts refuse.c between `target` and its memory.
function(hbg_refusal target)
  set(wraps hbg_arena_alloc hbg_arena_grow hbg_arena_text malloc calloc realloc free)
  list(TRANSFORM wraps PREPEND "LINKER:--wrap=")
  target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/refusal/refuse.c")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/src"
    "${PROJECT_SOURCE_DIR}/include")
  target_link_options(${target} PRIVATE ${wraps})
endfunction()

# The program of the command line once more, with tests/refusal/refuse_by_environment.c: HYBRSIM_REFUSE=N refuses the
# N-th request.
function(hbg_refusing_program)
  get_target_property(sources hybrsim-program SOURCES)
  get_target_property(folders hybrsim-program INCLUDE_DIRECTORIES)
  add_executable(hybrsim-refusing ${sources} "${PROJECT_SOURCE_DIR}/tests/refusal/refuse_by_environment.c")
  set_target_properties(hybrsim-refusing PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(hybrsim-refusing PRIVATE ${folders})
  target_include_directories(hybrsim-refusing SYSTEM PRIVATE ${HBG_JSON_HEADERS})
  target_link_libraries(hybrsim-refusing PRIVATE hybrsim hbg_compiler ${HBG_JSON} ${CMAKE_DL_LIBS})
  hbg_refusal(hybrsim-refusing)
endfunction()
