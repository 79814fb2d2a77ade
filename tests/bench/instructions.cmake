# Programs of fixed work, whose instructions instructions.py counts.

# pchr_instructions(NAME FILE... [LIBRARIES target...]): adds a program. It is built only if it is named.
function(pchr_instructions name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/)
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/runtime)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE PCHR_ASSETS_DIR="${PROJECT_SOURCE_DIR}/assets")
  pchr_target(${name})
  target_compile_options(${name} PRIVATE ${PCHR_LIBRARY_OPTIMIZATION})
  add_dependencies(instructions ${name})
endfunction()
add_custom_target(instructions)
pchr_instructions(pose_instructions pose_instructions.cpp LIBRARIES pchr::runtime)
pchr_instructions(load_instructions load_instructions.cpp LIBRARIES pchr::import)
pchr_instructions(crowd_instructions crowd_instructions.cpp idle_gl.cpp LIBRARIES pchr::render pchr_glad)
pchr_instructions(render_instructions render_instructions.cpp idle_gl.cpp LIBRARIES pchr::render pchr_glad)
