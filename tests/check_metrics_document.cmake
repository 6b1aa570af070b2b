# METRICS.md is what the program prints, byte for byte, and so is its Chinese edition.
function(check language document)
  execute_process(COMMAND ${PROGRAM} metrics --language=${language} OUTPUT_VARIABLE printed
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "`ascend-exporter metrics --language=${language}` ended with ${status}")
  endif()
  file(READ ${document} written)
  if(NOT printed STREQUAL written)
    cmake_path(GET document FILENAME name)
    message(FATAL_ERROR "${name} is out of date: write it anew with "
                        "`ascend-exporter metrics --language=${language} > ${name}`")
  endif()
endfunction()

check(en ${DOCUMENT})
string(REPLACE ".md" ".zh-CN.md" chinese ${DOCUMENT})
check(zh ${chinese})
