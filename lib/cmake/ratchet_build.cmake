# What our own targets share. Users of the library get none of it.

# The warnings our own code is held to.
function(ratchet_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           -Wnon-virtual-dtor -Wold-style-cast)
  if(RATCHET_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# A dependency that is not there is named with the package that brings it.
macro(ratchet_find package debian_package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "ratchet: ${package} was not found; on Debian: apt-get install ${debian_package}")
  endif()
endmacro()
