# Dependencies of the web player, instead of those in PchrDependencies.
add_compile_definitions(PCHR_NO_THREADS)

# Headers of the system that need no library. The folder they are in must stay off the path: it belongs to the system.
set(web_headers ${CMAKE_CURRENT_BINARY_DIR}/headers)
# pchr_web_headers(TARGET FOLDER DEBIAN_PACKAGE): adds an interface library for /usr/include/FOLDER.
function(pchr_web_headers target folder package)
  find_path(${folder}_parent ${folder} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH)
  if(NOT ${folder}_parent)
    message(FATAL_ERROR "pchr needs ${folder}. On Debian or Ubuntu: apt install ${package}")
  endif()
  file(MAKE_DIRECTORY ${web_headers})
  file(CREATE_LINK ${${folder}_parent}/${folder} ${web_headers}/${folder} SYMBOLIC)
  string(MAKE_C_IDENTIFIER ${target} name)
  add_library(${name} INTERFACE)
  add_library(${target} ALIAS ${name})
  target_include_directories(${name} SYSTEM INTERFACE ${web_headers})
endfunction()

pchr_web_headers(glm::glm glm libglm-dev)
pchr_web_headers(pchr::stb stb libstb-dev)
add_library(pchr_stb INTERFACE)
target_include_directories(pchr_stb SYSTEM INTERFACE ${web_headers}/stb)

include(PchrGlad)
include(PchrShaders)

if(PCHR_IMPORT)
  set(PCHR_WEB_SOURCES ${PROJECT_BINARY_DIR}/sources CACHE PATH
    "Folder for the sources of libraries, which are fetched if they are not there")
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/debian_sources.sh ${PCHR_WEB_SOURCES}
    libdeflate libjpeg-turbo giflib libwebp RESULT_VARIABLE result)
  if(result EQUAL 0)
    pchr_web_headers(fmt::fmt fmt libfmt-dev)
    # Without what only the separators of locales need.
    target_compile_definitions(fmt__fmt INTERFACE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')
    include(PchrWebLibraries)
  else()
    message(WARNING "pchr.wasm, which reads all formats, needs sources that could not be fetched; only pchr-v1.wasm is built")
    set(PCHR_IMPORT OFF)
    set(PCHR_EXPORT OFF)
  endif()
endif()
