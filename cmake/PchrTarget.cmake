# Settings that every target of this project shares: language, visibility, warnings, sanitizers.
function(pchr_target target)
  target_compile_features(${target} PRIVATE cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    # Contracting a*b+c would give other bits in other builds.
    -ffp-contract=off)
  if(PCHR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PCHR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE})
    # Compiling takes longer than running, but for what the libraries do.
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# pchr_library(TARGET COMPONENT): the settings of a library that is installed as pchr::COMPONENT.
function(pchr_library target component)
  pchr_target(${target})
  if(PCHR_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
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
