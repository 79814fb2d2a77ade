# Installs the libraries as CMake package components and pkg-config modules, and the programs that were built. For CPack,
# each library is a component of its name, what finds them is "package", and the programs are "programs".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# In link order.
set(PCHR_COMPONENTS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pchr)

# Sets `result` to the path of the folder `to` relative to `from`. Both are below the prefix unless they are absolute.
function(pchr_relative result from to)
  cmake_path(ABSOLUTE_PATH from BASE_DIRECTORY /prefix NORMALIZE)
  cmake_path(ABSOLUTE_PATH to BASE_DIRECTORY /prefix NORMALIZE)
  cmake_path(RELATIVE_PATH to BASE_DIRECTORY ${from})
  string(REGEX REPLACE "/$" "" to ${to})
  set(${result} ${to} PARENT_SCOPE)
endfunction()

# pchr_install_library(TARGET COMPONENT MODULE DESCRIPTION [REQUIRES module...] [STATIC_REQUIRES module...]
#   [STATIC_LIBS flag...]): MODULE is its pkg-config name. Requirements for linking a static library are private there,
# and left out for a shared one.
function(pchr_install_library target component module description)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "" "REQUIRES;STATIC_REQUIRES;STATIC_LIBS")
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME ${component})
  set(catalog)
  if(component STREQUAL runtime)
    set(catalog FILE_SET catalog DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(TARGETS ${target} EXPORT pchr-${component}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${catalog})
  install(EXPORT pchr-${component} NAMESPACE pchr:: FILE pchr-${component}-targets.cmake DESTINATION ${package_dir})

  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL STATIC_LIBRARY)
    set(arg_STATIC_REQUIRES)
    set(arg_STATIC_LIBS)
  endif()
  # pchr.h imports from a DLL unless it is told otherwise.
  set(definitions)
  if(WIN32 AND component MATCHES "^c(_v1)?$")
    set(definitions " -DPCHR_STATIC")
  endif()
  get_target_property(library ${target} OUTPUT_NAME)
  if(NOT library)
    set(library ${target})
  endif()
  list(JOIN arg_REQUIRES " " requires)
  list(JOIN arg_STATIC_REQUIRES " " static_requires)
  list(JOIN arg_STATIC_LIBS " " static_libs)
  pchr_relative(prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig .)
  pchr_relative(libdir ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_LIBDIR})
  pchr_relative(includedir ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_INCLUDEDIR})
  pchr_relative(shadersdir ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_DATADIR}/pchr/shaders)
  set(PCHR_COMPONENTS ${PCHR_COMPONENTS} ${component} PARENT_SCOPE)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/pchr.pc.in ${PROJECT_BINARY_DIR}/package/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

pchr_install_library(pchr_runtime runtime pchr-runtime "Loads and animates Pachario characters"
  REQUIRES glm STATIC_REQUIRES libdeflate STATIC_LIBS -l${PCHR_CXX_LIBRARY} -lm -pthread)
if(PCHR_IMPORT)
  pchr_install_library(pchr_import import pchr-import "Reads and writes every format of character that pchr knows"
    REQUIRES pchr-runtime STATIC_REQUIRES fmt libdeflate libjpeg libwebp STATIC_LIBS -lgif)
endif()
if(PCHR_RENDER)
  set(system_libraries -ldl)
  if(WIN32)
    set(system_libraries -lgdi32)
  endif()
  pchr_install_library(pchr_render render pchr-render "Draws Pachario characters with OpenGL"
    REQUIRES pchr-runtime STATIC_LIBS ${system_libraries})
endif()
if(PCHR_EXPORT)
  pchr_install_library(pchr_export export pchr-export "Writes Pachario characters as animations and sprite sheets"
    REQUIRES pchr-render STATIC_REQUIRES fmt libwebp STATIC_LIBS -lgif -pthread)
endif()
if(PCHR_C)
  set(v1_requires pchr-runtime)
  if(PCHR_RENDER)
    list(PREPEND v1_requires pchr-render)
  endif()
  set(c_requires ${v1_requires})
  if(PCHR_IMPORT)
    list(PREPEND c_requires pchr-import)
  endif()
  pchr_install_library(pchr_c c pchr "Loads and animates Pachario characters, for C and other languages"
    STATIC_REQUIRES ${c_requires})
  pchr_install_library(pchr_c_v1 c_v1 pchr-v1 "Loads and animates Pachario characters of PCHR v1, for C"
    STATIC_REQUIRES ${v1_requires})
  if(TARGET pchr_c_shared)
    pchr_install_library(pchr_c_shared c_shared pchr-c
      "Loads and animates Pachario characters, as one shared library for languages that load it")
    install(FILES ${PROJECT_BINARY_DIR}/runtime/include/pchr.ffi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      COMPONENT package)
  endif()
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME package)
if(PCHR_BINDINGS)
  install(FILES bindings/lua/pchr.lua bindings/lua/pchr_love.lua ${PROJECT_BINARY_DIR}/runtime/include/pchr.ffi.h
    DESTINATION ${CMAKE_INSTALL_DATADIR}/pchr/lua)
  install(FILES bindings/csharp/Pchr.cs ${PROJECT_BINARY_DIR}/runtime/include/Native.cs DESTINATION ${CMAKE_INSTALL_DATADIR}/pchr/csharp)
endif()

set(shaders_dir ${CMAKE_INSTALL_DATADIR}/pchr/shaders)
configure_package_config_file(cmake/pchr-config.cmake.in package/pchr-config.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS shaders_dir NO_SET_AND_CHECK_MACRO)
# Before 1.0, minor versions can break compatibility.
write_basic_package_version_file(package/pchr-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/pchr-config.cmake ${PROJECT_BINARY_DIR}/package/pchr-config-version.cmake
  cmake/pchr-deflate.cmake cmake/pchr-webp.cmake DESTINATION ${package_dir})
install(DIRECTORY shaders/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pchr/shaders)
install(FILES LICENSE docs/third-party.md cmake/package/licenses.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# pchr_install_reference(TARGET NAME): installs the man page and the completions that the program NAME prints with
# --print-man-page and --print-completion SHELL. Installing does not need them, in case only the program was built.
function(pchr_install_reference target name)
  # Windows has a use for neither.
  if(WIN32 OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/reference)
  set(man ${folder}/${name}.1)
  set(bash ${folder}/bash/${name})
  set(zsh ${folder}/zsh/_${name})
  set(fish ${folder}/fish/${name}.fish)
  file(MAKE_DIRECTORY ${folder}/bash ${folder}/zsh ${folder}/fish)
  add_custom_command(OUTPUT ${man} ${bash} ${zsh} ${fish}
    COMMAND ${target} --print-man-page > ${man}
    COMMAND ${target} --print-completion bash > ${bash}
    COMMAND ${target} --print-completion zsh > ${zsh}
    COMMAND ${target} --print-completion fish > ${fish}
    DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_reference ALL DEPENDS ${man} ${bash} ${zsh} ${fish})
  install(FILES ${man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
  install(FILES ${zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  install(FILES ${fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endfunction()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME programs)
foreach(program pchr pchr_player)
  if(TARGET ${program})
    install(TARGETS ${program})
  endif()
endforeach()
if(PCHR_TOOLS)
  pchr_install_reference(pchr ${PCHR_TOOL_NAME})
  install(DIRECTORY assets/schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pchr/schema)
endif()
if(PCHR_PLAYER)
  pchr_install_reference(pchr_player pchr-player)
  if(UNIX AND NOT APPLE)
    # What file managers need to know characters: programs, types, thumbnails and icons.
    include(PchrFormats)
    pchr_format_files()
    set(desktop ${PROJECT_BINARY_DIR}/desktop)
    install(FILES ${desktop}/pchr-player.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    string(TIMESTAMP PCHR_DATE "%Y-%m-%d" UTC)
    configure_file(player/desktop/pchr-player.metainfo.xml.in ${desktop}/${PCHR_DOMAIN}.player.metainfo.xml @ONLY)
    install(FILES ${desktop}/${PCHR_DOMAIN}.player.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES ${desktop}/pchr.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES ${desktop}/pchr.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
    file(GLOB icons assets/icon/pchr-*.png)
    foreach(icon IN LISTS icons)
      string(REGEX REPLACE ".*pchr-([0-9]+).png" "\\1" size ${icon})
      install(FILES ${icon} RENAME pchr-player.png
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps)
    endforeach()
  endif()
endif()
