# cmake -D INPUT=pchr.h -D OUTPUT=pchr.ffi.h -P ffi_header.cmake
# Writes the declarations of a C header without what the parsers of foreign function interfaces do not read: comments,
# includes, attributes and macros. Numbers that the header defines become constants of an enum.
file(READ ${INPUT} text)
string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
string(REGEX REPLACE "#ifdef __cplusplus\n[^#]*#endif\n" "" text "${text}")
string(REPLACE "UINT32_MAX" "4294967295" text "${text}")
string(REGEX REPLACE "#define (PCHR_[A-Z0-9_]+) ([0-9]+)\n" "enum { \\1 = \\2 };\n" text "${text}")
string(REGEX REPLACE "#[^\n]*\n" "" text "${text}")
string(REPLACE "PCHR_C_API " "" text "${text}")
string(REPLACE " PCHR_INT" "" text "${text}")
string(REGEX REPLACE "[ ]+\n" "\n" text "${text}")
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
string(STRIP "${text}" text)
file(WRITE ${OUTPUT} "${text}\n")
