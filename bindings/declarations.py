#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads pchr.h and writes its declarations for other languages.

    declarations.py PCHR_H OUT...

Files that end in .cs are for C#, in .py for Python's ctypes, and in .h for parsers without a preprocessor, such as
LuaJIT's.
"""
import dataclasses
import os
import pathlib
import re
import sys
from xml.sax.saxutils import escape


@dataclasses.dataclass
class Type:
    """`base` with `stars` pointers, of which the innermost points to something constant. Or a pointer to a function."""
    base: str
    stars: int = 0
    const: bool = False
    function: "Function | None" = None


@dataclasses.dataclass
class Value:
    """A parameter or a member. `size` is that of an array, or 0."""
    name: str
    type: Type
    doc: str = ""
    size: int = 0


@dataclasses.dataclass
class Function:
    name: str
    result: Type
    parameters: list[Value]
    doc: str


@dataclasses.dataclass
class Header:
    """Everything that pchr.h declares, in its order."""
    text: str
    constants: dict[str, int]
    enums: dict[str, dict[str, tuple[int, str]]]
    handles: list[str]
    structs: dict[str, list[Value]]
    callbacks: dict[str, Function]
    functions: dict[str, Function]
    docs: dict[str, str]

    def sized(self, struct):
        return self.structs[struct][0].name == "struct_size"


def values_of(declaration, doc=""):
    """Returns what a declaration such as `float x, y`, `uint8_t color[4]` or `void (*call)(int x)` declares."""
    callback = re.fullmatch(r"(.+?)\(\*(\w+)\)\((.*)\)", declaration)
    if callback:
        function = Function(callback[2], type_of(callback[1]), parameters_of(callback[3]), doc)
        return [Value(callback[2], Type("", function=function), doc)]
    first, *others = declaration.split(",")
    start, name, size = re.fullmatch(r"(.+?)(\w+)(?:\[(\d+)\])?", first.strip()).groups()
    values = [Value(name, type_of(start), doc, int(size or 0))]
    return values + [Value(other.strip(), type_of(start), doc) for other in others]


def type_of(text):
    return Type(re.sub(r"\bconst\b|\*", "", text).strip(), text.count("*"), text.strip().startswith("const "))


def parameters_of(text):
    if text == "void":
        return []
    return [value for parameter in re.split(r",\s*", text) for value in values_of(parameter)]


def parse(path):
    header = Header(pathlib.Path(path).read_text(encoding="utf-8"), {}, {}, [], {}, {}, {}, {})
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", header.text, flags=re.DOTALL)
    header.constants = {name: int(value.replace("UINT32_MAX", "0xFFFFFFFF"), 0)
                        for name, value in re.findall(r"^#define (PCHR_\w+) (\d+|UINT32_MAX)$", text, re.MULTILINE)}
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)

    def clean(doc):
        return " ".join(re.sub(r"^\s*\* ?", "", doc or "", flags=re.MULTILINE).split())

    before, after = r"(?:/\*\*(?!<)((?:(?!\*/).)*)\*/\s*)?", r"[ \t]*(?:/\*\*<(.*?)\*/)?"
    declaration = re.compile(before + r"(?:typedef enum (?P<enum>\w+) PCHR_INT {(?P<values>.*?)}|"
                             r"typedef struct (?P<struct>\w+) {(?P<members>.*?)}|typedef struct (?P<handle>\w+) \w+;|"
                             r"typedef (?P<callback>[^{};]+\(\*\w+\)[^;]+);|PCHR_C_API (?P<function>[^;]+);)", re.DOTALL)
    for found in declaration.finditer(text):
        doc = clean(found[1])
        if found["enum"]:
            values = header.enums[found["enum"]] = {}
            for name, number, note in re.findall(r"(PCHR_\w+)(?: = (\d+))?,?" + after, found["values"], re.DOTALL):
                values[name] = (int(number) if number else len(values), clean(note))
        elif found["struct"]:
            header.structs[found["struct"]] = [
                value for above, member, note in re.findall(r"\s*" + before + r"([^/;]+);" + after, found["members"], re.DOTALL)
                for value in values_of(" ".join(member.split()), clean(above or note))]
        elif found["handle"]:
            header.handles.append(found["handle"])
        elif found["callback"]:
            value, = values_of(" ".join(found["callback"].split()), doc)
            header.callbacks[value.name] = value.type.function
        else:
            result, name, parameters = re.fullmatch(r"(.+?)(\w+)\((.*)\)", " ".join(found["function"].split())).groups()
            header.functions[name] = Function(name, type_of(result), parameters_of(parameters), doc)
        name = next(filter(None, (found["enum"], found["struct"], found["handle"])), None)
        if name:
            header.docs[name] = doc
    return header


def ffi(header):
    """Comments, includes, attributes and macros are left out; numbers that are defined become constants of an enum."""
    text = re.sub(r"/\*.*?\*/", "", header.text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus\n[^#]*#endif\n", "", text).replace("UINT32_MAX", "4294967295")
    text = re.sub(r"#define (PCHR_[A-Z0-9_]+) (\d+)\n", r"enum { \1 = \2 };\n", text)
    text = re.sub(r"#[^\n]*\n", "", text).replace("PCHR_C_API ", "").replace(" PCHR_INT", "")
    return re.sub(r"\n\n+", "\n", re.sub(r" +\n", "\n", text)).strip() + "\n"


def ctypes(header):
    """Pointers to numbers, handles and results are addresses; None stands for NULL."""
    def name_of(kind, is_result=False):
        if kind.function:
            return signature_of(kind.function)
        if kind.base == "char" and kind.stars:
            return "c_char_p" if kind.stars == 1 else "POINTER(c_char_p)"
        if kind.stars:
            is_struct = kind.base in header.structs and not is_result
            return f"POINTER({kind.base})" if is_struct and kind.stars == 1 else "c_void_p"
        if kind.base == "void":
            return "None"
        if kind.base in header.structs or kind.base in header.callbacks:
            return kind.base
        return "c_int" if kind.base in header.enums else "c_" + kind.base.removesuffix("_t").replace("size", "size_t")

    def signature_of(function):
        parameters = ", ".join([name_of(function.result, True)] + [name_of(p.type) for p in function.parameters])
        return f"CFUNCTYPE({parameters})"

    lines = ['"""The functions of pchr.h. Written by bindings/declarations.py."""', "from ctypes import *", ""]
    lines += [f"{name} = {value}" for name, value in header.constants.items()]
    lines += [f"{name} = {value}" for values in header.enums.values() for name, (value, _) in values.items()]
    # Those that name only what is above them come first.
    for name, callback in header.callbacks.items():
        lines.append(f"{name} = {signature_of(callback)}")
    for struct, members in header.structs.items():
        fields = ", ".join(f'("{m.name}", {name_of(m.type)}{f" * {m.size}" if m.size else ""})' for m in members)
        lines += [f"class {struct}(Structure):", f"    _fields_ = [{fields}]"]
    lines.append("FUNCTIONS = {")
    for function in header.functions.values():
        types = [name_of(function.result, True)] + [name_of(p.type) for p in function.parameters]
        lines.append(f'    "{function.name}": ({", ".join(types)},),')
    return "\n".join(lines + ["}", ""])


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.removeprefix("pchr_").split("_"))


def csharp(header):
    """Structs without pointers are public. Arrays become numbered members. Text is UTF-8 and ends with a zero."""
    numbers = {"bool": "byte", "char": "byte", "uint8_t": "byte", "uint16_t": "ushort", "int32_t": "int",
               "uint32_t": "uint", "uint64_t": "ulong", "size_t": "UIntPtr", "float": "float", "double": "double"}
    colors = {("float", "tint"): "Color", ("float", "dark_tint"): "Rgb", ("float", "additive"): "Rgb"}
    lines = []

    def is_public(struct):
        return not any(m.type.stars or m.type.function or m.type.base == "char" or m.type.base in header.callbacks
                       or m.type.base in header.structs and not is_public(m.type.base) for m in header.structs[struct])

    def has_callbacks(struct):
        return not header.sized(struct) and any(m.type.function for m in header.structs[struct])

    def plain(kind):
        if kind.stars or kind.function or kind.base in header.callbacks:
            return "IntPtr"
        return numbers.get(kind.base) or ("void" if kind.base == "void" else camel(kind.base))

    def summary(doc, indent):
        if doc:
            lines.append(f"{indent}/// <summary>{escape(doc)}</summary>")

    def write_member(struct, member, access, indent):
        name, kind = camel(member.name), plain(member.type)
        name += "_" if name == camel(struct) else ""
        summary(member.doc, indent)
        if member.type.base == "char" and member.size:
            lines.append(f"{indent}[MarshalAs(UnmanagedType.ByValArray, SizeConst = {member.size})] {access} byte[] {name};")
        elif (member.type.base, member.name) in colors:
            lines.append(f"{indent}{access} {colors[member.type.base, member.name]} {name};")
        elif member.size:
            parts = [name.removesuffix("s") + str(i) for i in range(member.size)]
            lines.append(f"{indent}{access} {kind} {', '.join('RGBA' if member.name == 'color' else parts)};")
        elif enum := re.search(r"(pchr_\w+)(;| combined)", member.doc) if kind in ("uint", "byte") else None:
            if enum[1] not in header.enums:
                raise ValueError(f"{member.doc} names no enum")
            lines.append(f"{indent}{kind} {member.name};")
            lines.append(f"{indent}{access} {camel(enum[1])} {name} {{ get {{ return ({camel(enum[1])}){member.name}; }} "
                         f"set {{ {member.name} = ({kind})value; }} }}")
        elif member.type.base == "bool":
            field = member.name[:1] + name[1:]
            lines.append(f"{indent}byte {field};")
            lines.append(f"{indent}{access} bool {name} {{ get {{ return {field} != 0; }} "
                         f"set {{ {field} = (byte)(value ? 1 : 0); }} }}")
        else:
            lines.append(f"{indent}{'internal' if member.name == 'struct_size' else access} {kind} {name};")

    def write_struct(struct, access, indent):
        summary(header.docs[struct], indent)
        lines.append(f"{indent}[StructLayout(LayoutKind.Sequential)]")
        lines.append(f"{indent}{access} partial struct {camel(struct)} {{")
        for member in header.structs[struct]:
            write_member(struct, member, access, indent + "  ")
        lines.append(indent + "}")

    def parameter(function, index):
        value = function.parameters[index]
        name, kind = ("@" if value.name in ("out", "event") else "") + value.name, value.type
        base, following = plain(Type(kind.base)), (function.parameters + [Value("", Type(""))])[index + 1].name
        if kind.base in header.handles:
            is_freed = function.name.endswith("_free") or "frees the" in function.doc
            return f"{'IntPtr' if is_freed else base + 'Handle'} {name}"
        if kind.base == "bool":
            return f"[MarshalAs(UnmanagedType.I1)] bool {name}"
        if kind.stars == 0:
            return f"{plain(kind)} {name}"
        if kind.stars > 1 or kind.base in header.structs and has_callbacks(kind.base):
            return f"IntPtr {name}"
        if kind.base in ("void", "char"):
            return f"byte[] {name}"
        is_array = following in ("count", "capacity", "size") or kind.base == "uint8_t"
        if kind.base not in header.structs:
            return f"{base}[] {name}" if kind.const else f"[In, Out] {base}[] {name}" if is_array else f"out {base} {name}"
        if is_array:
            return f"{'' if kind.const else '[In, Out] '}{base}[] {name}"
        is_set = not header.sized(kind.base) or function.name.endswith("_init")
        return f"{'out' if is_set and not kind.const else 'ref'} {base} {name}"

    lines += ["// SPDX-License-Identifier: MIT", "// The declarations of pchr.h. Written by bindings/declarations.py.",
              "#pragma warning disable 0169, 0649", "using System;", "using System.Runtime.InteropServices;", "",
              "namespace Pchr {"]
    for enum, values in header.enums.items():
        prefix = len(os.path.commonprefix(list(values)).rpartition("_")[0]) + 1
        summary(header.docs[enum], "  ")
        if 4 in [value for value, _ in values.values()] and 3 not in [value for value, _ in values.values()]:
            lines.append("  [Flags]")
        lines.append(f"  public enum {camel(enum)} {{")
        for name, (value, doc) in values.items():
            summary(doc, "    ")
            name = camel(name[prefix:].lower()) if name[prefix].isalpha() else "_" + name[prefix:]
            lines.append(f"    {name} = {value},")
        lines.append("  }")
    for struct in filter(is_public, header.structs):
        write_struct(struct, "public", "  ")
    lines += ["  static class Native {", '    const string Library = "pchr_c";']
    lines += [f"    internal const uint {camel(name.removeprefix('PCHR_').lower())} = {value};"
              for name, value in header.constants.items()]
    for struct in header.structs:
        if not is_public(struct):
            write_struct(struct, "internal", "    ")
    for function in header.functions.values():
        parameters = ", ".join(parameter(function, i) for i in range(len(function.parameters)))
        lines.append("    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]")
        is_bool = function.result.base == "bool" and not function.result.stars
        if is_bool:
            lines.append("    [return: MarshalAs(UnmanagedType.I1)]")
        result = "bool" if is_bool else plain(function.result)
        lines.append(f"    internal static extern {result} {function.name}({parameters});")
    lines.append("  }")
    for handle in header.handles:
        if f"{handle}_free" in header.functions:
            name = camel(handle) + "Handle"
            lines += [f"  sealed class {name} : Handle {{", f"    internal {name}(IntPtr handle) : base(handle) {{ }}",
                      f"    protected override bool ReleaseHandle() {{ Native.{handle}_free(handle); return true; }}",
                      "  }"]
    return "\n".join(lines + ["}", ""])


if __name__ == "__main__":
    for out in map(pathlib.Path, sys.argv[2:]):
        out.write_text({".cs": csharp, ".py": ctypes, ".h": ffi}[out.suffix](parse(sys.argv[1])), encoding="utf-8")
