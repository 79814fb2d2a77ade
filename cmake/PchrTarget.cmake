# Settings that every target of this project shares: language, warnings, sanitizers.
function(pchr_target target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    # Contracting a*b+c would give other bits in other builds.
    -ffp-contract=off)
  if(PCHR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PCHR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${PCHR_SANITIZE})
  endif()
endfunction()
