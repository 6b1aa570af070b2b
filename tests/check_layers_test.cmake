# check_layers.cmake must find each kind of violation: it is run on a copy of the tree with one added.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${ROOT}/hal ${ROOT}/collectors ${ROOT}/exporter DESTINATION ${SCRATCH})

function(expect_failure what file text)
  file(READ ${SCRATCH}/${file} before)
  file(WRITE ${SCRATCH}/${file} "${text}\n${before}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${ROOT}/tests/check_layers.cmake
                  RESULT_VARIABLE status ERROR_VARIABLE message OUTPUT_QUIET)
  file(WRITE ${SCRATCH}/${file} "${before}")
  if(status EQUAL 0 OR NOT message MATCHES "${what}")
    message(SEND_ERROR "not found: ${what}; the check said: ${message}")
  endif()
endfunction()

expect_failure("hal/ may not" hal/clock.h "#include \"collectors/sample.h\"")
expect_failure("collectors/ may not" collectors/power.cc "#include \"exporter/log.h\"")
expect_failure("private to hal/sim/" exporter/compose/options.cc "#include \"hal/sim/physics.h\"")
expect_failure("reaches collectors/collector.h" exporter/page/snapshot.h
               "#include \"collectors/collector.h\"")
expect_failure("reaches hal/npu_driver.h" hal/readings.h "#include \"hal/npu_driver.h\"")
expect_failure("kLostCollector is not listed" collectors/ecc.cc
               "constexpr Collector kLostCollector = {};")
