# What each kind of package contains. CPack reads this once for each.
set(CPACK_INSTALL_CMAKE_PROJECTS "")
foreach(component programs c_shared package)
  if(NOT CPACK_GENERATOR STREQUAL DEB OR component STREQUAL programs)
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_PCHR_BUILD} pchr ${component} /)
  endif()
endforeach()
if(CPACK_GENERATOR STREQUAL DEB)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_PCHR_LIBRARIES} pchr ALL /)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # Where dpkg-shlibdeps finds the libraries that these link of each other.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CPACK_PCHR_LIBRARIES}/runtime)
endif()
