# Settings that every target of this project shares: language, visibility, warnings, sanitizers.
function(pchr_target target)
  target_compile_features(${target} PRIVATE cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    # Contracting a*b+c would give other bits in other builds.
    -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^13")
    # It takes a reference to an element for one into the span; later versions can be told otherwise (PCHR_VIEW).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
  endif()
  if(PCHR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PCHR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE})
  endif()
  if(PCHR_SANITIZE MATCHES address)
    # Compilers tell it in different ways.
    target_compile_definitions(${target} PRIVATE PCHR_ADDRESS_SANITIZER)
  endif()
endfunction()

# pchr_precompile(TARGET HEADER...): most of what the compiler does for a small source is to read these again.
function(pchr_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <filesystem> <functional> <map> <string> <vector> ${ARGN})
endfunction()

# pchr_library(TARGET COMPONENT): the settings of a library that is installed as pchr::COMPONENT.
function(pchr_library target component)
  pchr_target(${target})
  target_compile_options(${target} PRIVATE ${PCHR_LIBRARY_OPTIMIZATION})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH $ORIGIN)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    target_compile_definitions(${target} PRIVATE PCHR_STATIC)
  elseif(CMAKE_SYSTEM_NAME STREQUAL Linux)
    # The standard library's templates are visible whatever the compiler is told.
    target_link_options(${target} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
endfunction()
