# CPack runs this before it packs what the builds installed.
if(CPACK_GENERATOR STREQUAL DEB)
  set(kind deb)
elseif(CPACK_GENERATOR STREQUAL ZIP)
  set(kind zip)
else()
  set(kind tar)
endif()
execute_process(COMMAND python3 -B ${CPACK_PCHR_SOURCE}/cmake/package/stage.py ${kind} ${CPACK_TEMPORARY_DIRECTORY}
  ${CPACK_PACKAGE_VERSION} ${CPACK_PCHR_SOURCE} COMMAND_ERROR_IS_FATAL ANY)
