// SPDX-License-Identifier: MIT
// Linked into the player under AddressSanitizer: libraries stay loaded, so that memory which the OpenGL driver
// leaves behind can still be told from the player's own by the names in tests/support/lsan.supp.

// Seen by the libraries, unlike the rest of a program here.
extern "C" [[gnu::visibility("default")]] int dlclose(void*) { return 0; }
