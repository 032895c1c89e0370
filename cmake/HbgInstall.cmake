# SPDX-License-Identifier: BSD-3-Clause
# What 'cmake --install' puts where: the program, both libraries, the headers, a CMake package and a pkg-config file.
#   find_package(hybrsim)                    gives hybrsim::hybrsim, the shared library
#   find_package(hybrsim COMPONENTS static)  also hybrsim::static, and finds SUNDIALS for it

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(hbg_install)
  set(package "${CMAKE_INSTALL_LIBDIR}/cmake/hybrsim")
  install(TARGETS hybrsim-program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(HBG_HAS_STUDIO)
    install(TARGETS hybrsim-studio-program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
  # the gallery
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" DESTINATION "${CMAKE_INSTALL_DATADIR}/hybrsim" FILES_MATCHING
    PATTERN "*.hbg" PATTERN "*.md" PATTERN "*.csv")
  # to be read; the program has them inside
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/library" DESTINATION "${CMAKE_INSTALL_DATADIR}/hybrsim")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/hybrsim" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h")
  foreach(target hybrsim hybrsim-shared)
    # an export of its own for each: who wants the shared library needs nothing of what the static one needs
    install(TARGETS ${target} EXPORT ${target}
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  endforeach()
  install(EXPORT hybrsim NAMESPACE hybrsim:: FILE hybrsim-static.cmake DESTINATION "${package}")
  install(EXPORT hybrsim-shared NAMESPACE hybrsim:: FILE hybrsim-shared.cmake DESTINATION "${package}")

  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hybrsimConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/hybrsimConfig.cmake" INSTALL_DESTINATION "${package}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/hybrsimConfigVersion.cmake"
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/hybrsimConfig.cmake" "${PROJECT_BINARY_DIR}/hybrsimConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/HbgSundials.cmake" DESTINATION "${package}")

  # targets of SUNDIALS, files, and plain names
  get_property(private_libraries GLOBAL PROPERTY HBG_LINKS)
  list(TRANSFORM private_libraries REPLACE "^SUNDIALS::" "sundials_")
  list(TRANSFORM private_libraries PREPEND "-l" REGEX "^[^/-]")
  list(JOIN private_libraries " " HBG_PRIVATE_LIBRARIES)
  file(RELATIVE_PATH HBG_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/hybrsim.pc.in" "${PROJECT_BINARY_DIR}/hybrsim.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/hybrsim.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
