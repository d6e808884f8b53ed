# Passes when the planted race is reported, and the program ends with the detector's exit code.
foreach(way boxed inlined)
  execute_process(COMMAND ${PROGRAM} ${way} RESULT_VARIABLE code OUTPUT_VARIABLE out
                  ERROR_VARIABLE out TIMEOUT 30)
  if(NOT code EQUAL 66)
    message(FATAL_ERROR "planted_race ${way}: exit code ${code}, expected 66:\n${out}")
  endif()
  if(NOT out MATCHES "WARNING: ThreadSanitizer: data race")
    message(FATAL_ERROR "planted_race ${way}: no data race was reported:\n${out}")
  endif()
  message(STATUS "planted_race ${way}: reported")
endforeach()
