# Generates the OpenGL function loader at configure time, without a network. pchr_glad is private to the renderer: its
# functions live in a context struct, not in globals.
find_program(GLAD_PROGRAM glad DOC "The glad 2 generator")
if(NOT GLAD_PROGRAM)
  pchr_missing("the glad 2 generator" python3-glad)
endif()

# Named after its contents, so that a folder generated for other versions is not reused.
set(glad_dir ${CMAKE_CURRENT_BINARY_DIR}/glad-gl4.5-es3.0)
if(NOT EXISTS ${glad_dir}/src/gl.c)
  execute_process(
    COMMAND ${GLAD_PROGRAM} --quiet --reproducible --merge --api gl:core=4.5,gles2=3.0
      --extensions GL_KHR_debug,GL_EXT_sRGB_write_control
            --out-path ${glad_dir} c --mx
    RESULT_VARIABLE glad_result ERROR_VARIABLE glad_errors OUTPUT_QUIET)
  if(NOT glad_result EQUAL 0)
    message(FATAL_ERROR "The glad generator failed:\n${glad_errors}")
  endif()
endif()

# An object library, so static pchr_render contains it and the installed one has no extra dependency.
add_library(pchr_glad OBJECT ${glad_dir}/src/gl.c)
target_include_directories(pchr_glad SYSTEM PUBLIC ${glad_dir}/include)
# Prefixed, because a game's own glad has the same names and possibly another layout of the context struct.
target_compile_definitions(pchr_glad PUBLIC
  GladGLContext=PchrGladGLContext
  gladLoadGLContext=pchr_gladLoadGLContext
  gladLoadGLContextUserPtr=pchr_gladLoadGLContextUserPtr
  gladLoadGLES2Context=pchr_gladLoadGLES2Context
  gladLoadGLES2ContextUserPtr=pchr_gladLoadGLES2ContextUserPtr)
set_target_properties(pchr_glad PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
