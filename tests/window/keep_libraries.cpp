// SPDX-License-Identifier: MIT
// Linked into the player under AddressSanitizer. Keeps libraries loaded so that leaks of the OpenGL driver can be
// identified by the names in tests/support/lsan.supp.

// Exported, unlike other symbols of the program, so that libraries use it.
extern "C" [[gnu::visibility("default")]] int dlclose(void*) { return 0; }
