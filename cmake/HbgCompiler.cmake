# SPDX-License-Identifier: BSD-3-Clause
# The rules every target of ours is compiled under: the target hbg_compiler.

option(HYBRSIM_WARNINGS_AS_ERRORS "Stop at the first warning" OFF)
option(HYBRSIM_COVERAGE "Count which lines run" OFF)
set(HYBRSIM_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)
set(CMAKE_C_FLAGS_CHECK "-O1 -g" CACHE STRING "optimised a little, with assertions" FORCE)
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(hbg_compiler INTERFACE)

# results agree between machines only without fused multiply-add
target_compile_options(hbg_compiler INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wimplicit-fallthrough -Wdouble-promotion)
target_link_libraries(hbg_compiler INTERFACE m)

if(HYBRSIM_WARNINGS_AS_ERRORS)
  target_compile_options(hbg_compiler INTERFACE -Werror)
endif()
if(HYBRSIM_SANITIZE)
  target_compile_options(hbg_compiler INTERFACE -fsanitize=${HYBRSIM_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(hbg_compiler INTERFACE -fsanitize=${HYBRSIM_SANITIZE})
endif()
if(HYBRSIM_COVERAGE)
  target_compile_options(hbg_compiler INTERFACE --coverage)
  target_link_options(hbg_compiler INTERFACE --coverage)
endif()

# one program for processors with and without wide vectors; instrumented code must not run as early as it is chosen between them
include(CheckCSourceCompiles)
check_c_source_compiles("
  __attribute__((target_clones(\"default\", \"avx2\", \"avx512f\"))) static int f(int x) { return x + 1; }
  int main(int count, char **words) { (void)words; return f(-count); }" HBG_HAS_CLONES)
if(HBG_HAS_CLONES AND NOT HYBRSIM_SANITIZE AND NOT HYBRSIM_COVERAGE)
  target_compile_definitions(hbg_compiler INTERFACE HBG_CLONES)
endif()
