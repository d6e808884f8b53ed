# What `cmake --install` lays down: headers, both forms of the library, and what CMake and
# pkg-config find them by.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/ratchet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(TARGETS ratchet ratchet_shared EXPORT ratchetTargets)

set(ratchet_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ratchet)
install(EXPORT ratchetTargets NAMESPACE ratchet:: DESTINATION ${ratchet_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ratchetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ratchetConfig.cmake INSTALL_DESTINATION ${ratchet_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ratchetConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ratchetConfig.cmake
              ${PROJECT_BINARY_DIR}/ratchetConfigVersion.cmake
        DESTINATION ${ratchet_cmake_dir})

# The prefix is counted from where the .pc file lies, so that an installed tree can be moved.
set(ratchet_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${ratchet_pc_dir} OUTPUT_VARIABLE ratchet_pc_to_prefix)
set(ratchet_pc_definitions "")
if(RATCHET_SMALL_LIMITS)
  set(ratchet_pc_definitions " -DRATCHET_SMALL_LIMITS=1")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/ratchet.pc.in ${PROJECT_BINARY_DIR}/ratchet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ratchet.pc DESTINATION ${ratchet_pc_dir})
