# Sources of one system end with its name: files_posix.cpp, files_windows.cpp, web.cpp.
if(PCHR_WEB)
  set(PCHR_SYSTEM web)
elseif(WIN32)
  set(PCHR_SYSTEM windows)
else()
  set(PCHR_SYSTEM posix)
endif()

# pchr_remove_other_systems(LIST): removes the sources of other systems from a list of files.
function(pchr_remove_other_systems list)
  set(others posix windows web)
  list(REMOVE_ITEM others ${PCHR_SYSTEM})
  list(JOIN others "|" others)
  list(FILTER ${list} EXCLUDE REGEX "/([a-z0-9_]+_)?(${others})\\.[a-z]+$")
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
