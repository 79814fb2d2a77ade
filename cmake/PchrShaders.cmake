# pchr_embed_shaders(TARGET FILE...): embeds each GLSL file at build time as a string constant in <pchr_shaders.hpp>.
# For example, shaders/character.vert becomes pchr::shaders::character_vert.
function(pchr_embed_shaders target)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/shaders/pchr_shaders.hpp)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${header}" -D "FILES=${ARGN}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    COMMENT "Embedding shaders" VERBATIM)
  target_sources(${target} PRIVATE ${header})
  if(NOT TARGET generated_headers)
    add_custom_target(generated_headers)
  endif()
  add_custom_target(${target}_shaders DEPENDS ${header})
  add_dependencies(generated_headers ${target}_shaders)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/shaders)
endfunction()
