# Settings shared by all targets of this project: language, visibility, warnings, sanitizers.
function(pchr_target target)
  target_compile_features(${target} PRIVATE cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  # Contracting a*b+c would give different bits in different builds. MSVC does not do it with /fp:precise.
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /utf-8 /permissive- /Zc:__cplusplus /Zc:preprocessor /bigobj /fp:precise
      $<$<CXX_COMPILER_ID:Clang>:/clang:-ffp-contract=off>)
    target_compile_definitions(${target} PRIVATE _CRT_SECURE_NO_WARNINGS)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
  endif()
  if(WIN32)
    # Windows 10.
    target_compile_definitions(${target} PRIVATE UNICODE _UNICODE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)
  endif()
  if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
      # In C++23, type_info::operator== of these versions is an inline function that libstdc++.a defines once more, which
      # the linker rejects unless all calls of the function are inlined.
      target_compile_definitions(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX23_CONSTEXPR=__attribute__\(\(__always_inline__\)\)\ constexpr>)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^13")
    # GCC 13 mistakes a reference to a span's element for one into the span. Later versions honor PCHR_VIEW.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
  endif()
  if(PCHR_WEB)
    # Sizes in files have 64 bits. They are compared with what there is before they become sizes in memory.
    target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
  endif()
  if(PCHR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${MSVC}>,/WX,-Werror>)
  endif()
  if(PCHR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE})
  endif()
  if(PCHR_SANITIZE MATCHES address)
    # Compilers disagree on how to detect AddressSanitizer.
    target_compile_definitions(${target} PRIVATE PCHR_ADDRESS_SANITIZER)
  endif()
endfunction()

# The C++ standard library, for programs that are linked as C. MSVC adds it by itself.
set(PCHR_CXX_LIBRARY stdc++)
if(MSVC)
  set(PCHR_CXX_LIBRARY)
elseif("c++" IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  set(PCHR_CXX_LIBRARY c++)
endif()

# pchr_precompile(TARGET HEADER...): precompiles these headers, which take most of the compile time of a small source.
function(pchr_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <filesystem> <functional> <map> <string> <vector> ${ARGN})
endfunction()

# pchr_link(TARGET PUBLIC|PRIVATE LIBRARY...): links libraries. Those that a parent project builds are not installed with
# this one: its package finds them by their names, like the others.
function(pchr_link target visibility)
  foreach(library IN LISTS ARGN)
    get_target_property(imported ${library} IMPORTED)
    if(imported)
      target_link_libraries(${target} ${visibility} ${library})
    else()
      # CMake would take a plain name for the target in this build, which is not exported.
      target_link_libraries(${target} ${visibility}
        $<BUILD_INTERFACE:${library}> $<INSTALL_INTERFACE:$<1:${library}>>)
    endif()
  endforeach()
endfunction()

# pchr_library(TARGET COMPONENT [EXPORTS]): settings of a library that is installed as pchr::COMPONENT. If it is shared,
# it exports what the version script EXPORTS lists.
function(pchr_library target component)
  set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  if(ARGC GREATER 2)
    set(exports ${PROJECT_SOURCE_DIR}/cmake/${ARGV2})
  endif()
  pchr_target(${target})
  target_compile_options(${target} PRIVATE ${PCHR_LIBRARY_OPTIMIZATION})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH $ORIGIN)
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    # With -Wl,--gc-sections, a program gets only the functions that it uses.
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${MSVC}>,/Gy,-ffunction-sections;-fdata-sections>)
    target_compile_definitions(${target} PRIVATE PCHR_STATIC)
  elseif(CMAKE_SYSTEM_NAME STREQUAL Linux)
    # The standard library's templates stay visible despite the visibility options.
    target_link_options(${target} PRIVATE LINKER:--version-script=${exports})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  endif()
endfunction()
