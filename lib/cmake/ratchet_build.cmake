# What our own targets share. Users of the library get none of it.

# The warnings our own code is held to.
function(ratchet_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           -Wnon-virtual-dtor -Wold-style-cast)
  # g++ 12 warns inside its own std::string where "text" + string is inlined (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(RATCHET_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# A dependency that is not there is named with the package that brings it.
macro(ratchet_find package debian_package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "ratchet: ${package} was not found; "
                        "on Debian: apt-get install ${debian_package}")
  endif()
endmacro()

# The same for a library without a CMake package: the target is ratchet_dependency::<name>.
function(ratchet_find_library name header debian_package)
  if(TARGET ratchet_dependency::${name})
    return()
  endif()
  find_library(RATCHET_${name}_LIBRARY ${name})
  find_path(RATCHET_${name}_INCLUDE_DIR ${header})
  if(NOT RATCHET_${name}_LIBRARY OR NOT RATCHET_${name}_INCLUDE_DIR)
    message(FATAL_ERROR "ratchet: ${name} was not found; "
                        "on Debian: apt-get install ${debian_package}")
  endif()
  add_library(ratchet_dependency::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(ratchet_dependency::${name} PROPERTIES
    IMPORTED_LOCATION ${RATCHET_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${RATCHET_${name}_INCLUDE_DIR})
endfunction()

# RATCHET_SANITIZE for every target of this build. No finding is survived.
function(ratchet_sanitize)
  if(NOT RATCHET_SANITIZE)
    return()
  endif()
  set(flags -fsanitize=${RATCHET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY COMPILE_OPTIONS ${flags})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY LINK_OPTIONS ${flags})
endfunction()
