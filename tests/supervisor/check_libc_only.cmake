# The supervisor loads libc and nothing else, and calls nothing that opens a socket or a library.
# Called with -DPROGRAM=<file> -DREADELF=<tool> -DNM=<tool>.
execute_process(COMMAND ${READELF} --dynamic ${PROGRAM} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*" needed "${dynamic}")
if(NOT needed MATCHES "^\\(NEEDED\\)[^;]*\\[libc\\.[^];]*\\]$")
  message(FATAL_ERROR "${PROGRAM} must need libc only: ${needed}")
endif()
execute_process(COMMAND ${NM} --dynamic --undefined-only ${PROGRAM} OUTPUT_VARIABLE calls COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH " (socket|socketpair|connect|bind|accept|accept4|listen|dlopen|dlmopen)(@|\n)" forbidden "${calls}")
if(forbidden OR NOT calls MATCHES "memfd_create")
  message(FATAL_ERROR "${PROGRAM} must open no socket and no library: ${forbidden}")
endif()
