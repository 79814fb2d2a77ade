# Compiles for 64-bit Windows with MinGW-w64. ../libraries.sh makes the prefix in which libraries are found.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

get_filename_component(PCHR_WINDOWS_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../build/windows-libraries ABSOLUTE)
if(NOT "$ENV{PCHR_WINDOWS_LIBRARIES}" STREQUAL "")
  set(PCHR_WINDOWS_LIBRARIES $ENV{PCHR_WINDOWS_LIBRARIES})
endif()
set(CMAKE_FIND_ROOT_PATH ${PCHR_WINDOWS_LIBRARIES} /usr/x86_64-w64-mingw32)
set(CMAKE_PREFIX_PATH ${PCHR_WINDOWS_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${PCHR_WINDOWS_LIBRARIES}/lib/pkgconfig)

# Programs carry the compiler's runtime, so that they need no DLL that Windows lacks. In C++23, GCC's headers define
# type_info::operator== inline while its library still has it, with the same meaning.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-static -Wl,--allow-multiple-definition -wrapper ${CMAKE_CURRENT_LIST_DIR}/link.sh")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/wine.sh)
