"""Checks that only the platform folders know which system the program runs on.

    systems.py REPOSITORY

Elsewhere, sources test no macro of a system and include no header of one, except in files that CMake chooses by their
names: files_posix.cpp, files_windows.cpp, web.cpp.
"""
import pathlib
import re
import sys

FOLDERS = ("runtime", "player", "tools", "examples", "bindings")
PLATFORM = ("runtime/platform/", "player/platform/", "player/web/")
# They say how a DLL exports its functions.
EXPORTS = ("runtime/include/pchr.h", "runtime/include/pchr/api.hpp")

MACRO = re.compile(r"^\s*#\s*(?:el)?if.*\b(_WIN32|_WIN64|WIN32|__MINGW\w*|__CYGWIN__|__linux\w*|__gnu_linux__|__unix\w*|"
                   r"__APPLE__|__MACH__|TARGET_OS_\w+|__wasm\w*|__EMSCRIPTEN__|__ANDROID__|\w*BSD\w*)\b")
HEADER = re.compile(r"^\s*#\s*include\s*<("
                    # POSIX and Linux.
                    r"sys/\S+|unistd\.h|fcntl\.h|dirent\.h|pthread\.h|poll\.h|dlfcn\.h|termios\.h|spawn\.h|pwd\.h|glob\.h|"
                    r"iconv\.h|langinfo\.h|libgen\.h|strings\.h|malloc\.h|sched\.h|semaphore\.h|linux/\S+|netinet/\S+|"
                    r"arpa/\S+|EGL/\S+|GL/glx\.h|X11/\S+|"
                    # Windows.
                    r"windows\.h|Windows\.h|io\.h|direct\.h|process\.h|conio\.h|shell\w*\.h|shl\w+\.h|winsock\w*\.h|"
                    r"psapi\.h|tlhelp32\.h|commdlg\.h|dwmapi\.h|"
                    # macOS.
                    r"mach/\S+|mach-o/\S+|CoreFoundation/\S+|OpenGL/\S+|TargetConditionals\.h)>")

root = pathlib.Path(sys.argv[1]).resolve()
problems = []
files = 0
for folder in FOLDERS:
    for source in sorted((root / folder).rglob("*")):
        name = source.relative_to(root).as_posix()
        if source.suffix not in (".c", ".h", ".cpp", ".hpp", ".def") or name in EXPORTS:
            continue
        if name.startswith(PLATFORM) or re.search(r"(^|_)(posix|windows|web)\.", source.name):
            continue
        files += 1
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if found := MACRO.match(line):
                problems.append(f"{name}:{number}: tests {found[1]}; only a platform folder may")
            if found := HEADER.match(line):
                problems.append(f"{name}:{number}: includes <{found[1]}>; only a platform folder may")

print("\n".join(problems) or f"{files} files know no system")
sys.exit(bool(problems) or files < 100)
