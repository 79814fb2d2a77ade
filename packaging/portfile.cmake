# The vcpkg port of the libraries and, as features, the programs. `./dev package manifests` fills in the archive, and
# writes the port's vcpkg.json from that of the repository.
if(VCPKG_TARGET_IS_WINDOWS)
  vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
endif()
vcpkg_download_distfile(archive URLS "@url:source@" FILENAME "@file:source@" SHA512 @sha512:source@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

x_vcpkg_get_python_packages(PYTHON_VERSION 3 PACKAGES glad2 OUT_PYTHON_VAR python)
cmake_path(GET python PARENT_PATH programs)
find_program(glad glad PATHS "${programs}" NO_DEFAULT_PATH REQUIRED)

vcpkg_check_features(OUT_FEATURE_OPTIONS programs FEATURES player PCHR_PLAYER tools PCHR_TOOLS)
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS ${programs} "-DGLAD_PROGRAM=${glad}"
  -DPCHR_C_SHARED=OFF -DPCHR_EXAMPLES=OFF -DPCHR_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/pchr)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
foreach(program IN ITEMS pchr pchr-player)
  if(EXISTS "${CURRENT_PACKAGES_DIR}/bin/${program}${VCPKG_TARGET_EXECUTABLE_SUFFIX}")
    vcpkg_copy_tools(TOOL_NAMES ${program} AUTO_CLEAN)
  endif()
endforeach()
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE" "${source}/cmake/package/licenses.md")
