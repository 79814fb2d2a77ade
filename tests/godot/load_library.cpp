// SPDX-License-Identifier: MIT
// Loads the Godot extension for Windows as Godot does, up to its entry function: load_library LIBRARY.
#include <gdextension_interface.h>

#include <cstdio>
#include <windows.h>

namespace {

int asked = 0;

GDExtensionInterfaceFunctionPtr find(const char*) {
  ++asked;
  return nullptr;
}

int fail(const char* what, const char* library) {
  std::fprintf(stderr, "%s: %s (error %lu)\n", library, what, GetLastError());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return fail("usage: load_library LIBRARY", arguments[0]);
  const HMODULE library = LoadLibraryA(arguments[1]);
  if (library == nullptr) return fail("cannot be loaded", arguments[1]);
  const auto entry = reinterpret_cast<GDExtensionInitializationFunction>(
      reinterpret_cast<void*>(GetProcAddress(library, "pchr_godot")));
  if (entry == nullptr) return fail("has no function pchr_godot", arguments[1]);
  GDExtensionInitialization initialization{};
  if (entry(find, nullptr, &initialization) == 0) return fail("cannot be initialized", arguments[1]);
  if (asked == 0 || initialization.initialize == nullptr) return fail("does not register itself", arguments[1]);
  return FreeLibrary(library) ? 0 : fail("cannot be unloaded", arguments[1]);
}
