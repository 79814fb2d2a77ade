# Run by pchr_embed_shaders. Writes the header OUTPUT with one raw string constant per file in FILES.
set(text "#pragma once\n\nnamespace pchr::shaders {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} source)
  # A web page downloads it.
  string(REGEX REPLACE "[ ]*//[^\n]*" "" source "${source}")
  string(REGEX REPLACE "\n[ \n]+" "\n" source "${source}")
  string(APPEND text "\ninline constexpr char ${name}[] = R\"glsl(${source})glsl\";\n")
endforeach()
string(APPEND text "\n}  // namespace pchr::shaders\n")
file(WRITE ${OUTPUT} "${text}")
