# How a test is made.
ratchet_find(GTest libgtest-dev)
include(GoogleTest)

# ratchet_test(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...]
#              [DEFINITIONS <macro>...] [TIMEOUT <seconds>] [PROCESSORS <count>])
# One executable; each of its googletest cases is a ctest test of its own. It links ratchet unless
# LIBRARIES name another build of it (ratchet_shared, ratchet_explore). LABELS: unit by default; the
# tiers of test.sh choose by them. TIMEOUT: of each case, 60 by default.
function(ratchet_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;PROCESSORS" "SOURCES;LIBRARIES;LABELS;DEFINITIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ratchet_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}; "
                        "accepted: SOURCES, LIBRARIES, LABELS, DEFINITIONS, TIMEOUT, PROCESSORS")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  add_executable(${name} ${arg_SOURCES})
  if(NOT "${arg_LIBRARIES}" MATCHES "ratchet_(shared|explore)|ratchet::")
    list(PREPEND arg_LIBRARIES ratchet)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/tests)
  ratchet_warnings(${name})
  # Half the time to compile; what races or is measured stays as users have it.
  if(CMAKE_BUILD_TYPE STREQUAL Release AND "${arg_LABELS}" MATCHES "^(unit|model)$")
    target_compile_options(${name} PRIVATE -O1)
  endif()
  # A list that is a property's value must pass through two more expansions.
  string(REPLACE ";" "\\;" labels "${arg_LABELS}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    NO_PRETTY_TYPES TEST_PREFIX ${name}.
    PROPERTIES LABELS "${labels}" TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS})
endfunction()
