# A migration document is what the program prints, byte for byte. Called with -DPROGRAM, -DLANGUAGE
# and -DDOCUMENT.
execute_process(COMMAND ${PROGRAM} migration --language=${LANGUAGE} OUTPUT_VARIABLE printed
                RESULT_VARIABLE status)
file(READ ${DOCUMENT} written)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "`ascend-exporter migration --language=${LANGUAGE}` ended with ${status}")
endif()
if(NOT printed STREQUAL written)
  message(FATAL_ERROR "${DOCUMENT} is out of date: write it anew with "
                      "`ascend-exporter migration --language=${LANGUAGE}`")
endif()
