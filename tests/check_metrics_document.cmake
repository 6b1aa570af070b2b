# METRICS.md is what the program prints, byte for byte.
execute_process(COMMAND ${PROGRAM} metrics OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ ${DOCUMENT} written)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "`ascend-exporter metrics` ended with ${status}")
endif()
if(NOT printed STREQUAL written)
  message(FATAL_ERROR "METRICS.md is out of date: write it anew with `ascend-exporter metrics > METRICS.md`")
endif()
