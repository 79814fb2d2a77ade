# What CPack packs, for package.sh: programs and the C library of this build, in a .tar.gz or .zip; the programs and the
# shared libraries of the build in PCHR_PACKAGE_LIBRARIES, in a .deb.
set(PCHR_PACKAGE_LIBRARIES "" CACHE PATH "Build folder of the shared libraries that a .deb contains")
set(CPACK_PACKAGE_VENDOR "the pchr authors")
set(CPACK_PACKAGE_CONTACT "the pchr authors <pchr@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "player, converter and libraries for 2D skeletal characters")
set(CPACK_PACKAGE_DESCRIPTION "Loads, animates and draws Pachario characters, and opens Pomyu,
Pixquare, Aseprite and Unreal ones. pchr inspects, validates, converts and renders
them without a display; pchr-player shows them. The libraries and headers
are for games and tools in C++, C, Lua and C#.")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/stage.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/cpack.cmake)
set(CPACK_PCHR_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_PCHR_LIBRARIES ${PCHR_PACKAGE_LIBRARIES})
set(CPACK_PCHR_BUILD ${PROJECT_BINARY_DIR})
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PCHR_SYSTEM ${system})
set(CPACK_PACKAGE_FILE_NAME pchr-${PROJECT_VERSION}-${system}-x86_64)
set(CPACK_SOURCE_GENERATOR "")

# Not pchr, nor a file /usr/bin/pchr, which another package can have: postinst offers that name where it is free.
set(CPACK_DEBIAN_PACKAGE_NAME pchr-tool)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/package/triggers
  ${PROJECT_SOURCE_DIR}/cmake/package/postinst ${PROJECT_SOURCE_DIR}/cmake/package/prerm)
# OpenGL, and X11's libraries for screens and cursors, are loaded at run time. A C++ program that uses the headers needs
# GLM.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, libgl1-mesa-dri, libxcursor1, libxi6, libxinerama1, libxrandr2, shared-mime-info")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libglm-dev")
include(CPack)
