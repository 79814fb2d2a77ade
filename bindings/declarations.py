#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads pchr.h and writes its declarations for other languages.

    declarations.py PCHR_H OUT...

Files that end in .cs are for C#, in .py for Python's ctypes, in .js for scripts that call a WebAssembly module, and in
.h for parsers without a preprocessor, such as LuaJIT's.
"""
import os
import pathlib
import re
import sys
import typing
from xml.sax.saxutils import escape


class Type(typing.NamedTuple):
    """`base` with `stars` pointers, `const` if the innermost one points to a constant; or a pointer to a function."""
    base: str
    stars: int = 0
    const: bool = False
    function: "Function | None" = None


class Value(typing.NamedTuple):
    """A parameter, a member or a constant of an enum. `size` is that of an array."""
    name: str
    type: Type
    doc: str = ""
    size: int = 0
    number: int = 0


class Function(typing.NamedTuple):
    name: str
    result: Type
    parameters: list[Value]
    doc: str = ""


class Group(typing.NamedTuple):
    """A struct or an enum."""
    doc: str
    values: list[Value]

    def is_sized(self):
        return self.values[0].name == "struct_size"


class Header(typing.NamedTuple):
    """What pchr.h declares, by name, in its order."""
    text: str
    constants: dict[str, int]
    enums: dict[str, Group]
    structs: dict[str, Group]
    handles: dict[str, str]
    callbacks: dict[str, Function]
    functions: dict[str, Function]


def type_of(text):
    return Type(re.sub(r"\bconst\b|\*", "", text).strip(), text.count("*"), text.strip().startswith("const "))


def values_of(text, doc=""):
    """Returns what a text such as `float x, y`, `uint8_t color[4]` or `void (*call)(int x)` declares."""
    if "(" in text:
        function = function_of(text.replace("(*", "", 1).replace(")", "", 1), doc)
        return [Value(function.name, Type("", function=function), doc)]
    first, *others = text.split(",")
    start, name, size = re.fullmatch(r"(.+?)(\w+)(?:\[(\d+)\])?", first).groups()
    return [Value(name, type_of(start), doc, int(size or 0)), *(Value(n.strip(), type_of(start), doc) for n in others)]


def function_of(text, doc):
    result, name, parameters = re.fullmatch(r"(.+?)(\w+)\((.*)\)", text).groups()
    parameters = [] if parameters == "void" else parameters.split(",")
    return Function(name, type_of(result), [value for text in parameters for value in values_of(text.strip())], doc)


def parse(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    header = Header(text, {}, {}, {}, {}, {}, {})
    for name, value in re.findall(r"^#define (PCHR_\w+) (\d+|UINT32_MAX)$", text, re.MULTILINE):
        header.constants[name] = int(value.replace("UINT32_MAX", "0xFFFFFFFF"), 0)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)

    def clean(text):
        return " ".join(re.sub(r"^\s*\* ?", "", text, flags=re.MULTILINE).split())

    above, after = r"(?:/\*\*(?!<)((?:(?!\*/).)*)\*/\s*)?", r"[ \t]*(?:/\*\*<(.*?)\*/)?"
    for doc, kind, name, body, handle, callback, function in re.findall(
            above + r"(?:typedef (enum|struct) (\w+)(?: PCHR_INT)? {(.*?)} \w+;|typedef struct (\w+) \w+;|"
            r"typedef ([^{};]+\(\*\w+\)[^;]+);|PCHR_C_API ([^;]+);)", text, re.DOTALL):
        doc = clean(doc)
        if kind == "enum":
            values = header.enums[name] = Group(doc, [])
            for value, number, note in re.findall(r"(PCHR_\w+)(?: = (\d+))?,?" + after, body, re.DOTALL):
                values.values.append(Value(value, Type("int"), clean(note), 0, int(number or len(values.values))))
        elif kind == "struct":
            members = re.findall(r"\s*" + above + r"([^/;]+);" + after, body, re.DOTALL)
            header.structs[name] = Group(doc, [value for before, member, note in members
                                               for value in values_of(clean(member), clean(before or note))])
        elif handle:
            header.handles[handle] = doc
        elif callback:
            value, = values_of(clean(callback), doc)
            header.callbacks[value.name] = value.type.function
        else:
            declared = function_of(clean(function), doc)
            header.functions[declared.name] = declared
    return header


def ffi(header):
    """Leaves out comments, includes, attributes and macros. Constants become those of an enum."""
    text = re.sub(r"/\*.*?\*/", "", header.text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus\n[^#]*#endif\n", "", text).replace("UINT32_MAX", "4294967295")
    text = re.sub(r"#define (PCHR_[A-Z0-9_]+) (\d+)\n", r"enum { \1 = \2 };\n", text)
    text = re.sub(r"#[^\n]*\n", "", text).replace("PCHR_C_API ", "").replace(" PCHR_INT", "")
    return re.sub(r"\n\n+", "\n", re.sub(r" +\n", "\n", text)).strip() + "\n"


def ctypes(header):
    """Handles, pointers to numbers and results that are pointers are addresses. NULL is None."""
    def name_of(kind, is_result=False):
        if kind.function:
            return f"CFUNCTYPE({types_of(kind.function)})"
        if kind.stars and kind.base == "char":
            return "c_char_p" if kind.stars == 1 else "POINTER(c_char_p)"
        if kind.stars:
            is_struct = kind.base in header.structs and kind.stars == 1 and not is_result
            return f"POINTER({kind.base})" if is_struct else "c_void_p"
        if kind.base in header.structs or kind.base in header.callbacks:
            return kind.base
        if kind.base == "void":
            return "None"
        return "c_int" if kind.base in header.enums else "c_" + re.sub("(?<!size)_t$", "", kind.base)

    def types_of(function):
        return ", ".join([name_of(function.result, True), *(name_of(value.type) for value in function.parameters)])

    lines = ['"""The functions of pchr.h. Written by bindings/declarations.py."""', "from ctypes import *"]
    lines += [f"{name} = {value}" for name, value in header.constants.items()]
    lines += [f"{value.name} = {value.number}" for enum in header.enums.values() for value in enum.values]
    lines += [f"{name} = CFUNCTYPE({types_of(callback)})" for name, callback in header.callbacks.items()]
    for name, struct in header.structs.items():
        fields = (f'("{m.name}", {name_of(m.type)}{" * " * bool(m.size)}{m.size or ""})' for m in struct.values)
        lines += [f"class {name}(Structure):", f"    _fields_ = [{', '.join(fields)}]"]
    lines += ["FUNCTIONS = {", *(f'    "{f.name}": ({types_of(f)},),' for f in header.functions.values()), "}"]
    return "\n".join(lines) + "\n"


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.removeprefix("pchr_").split("_"))


def javascript(header):
    """Structs as texts such as "x:f y:f tint:f*4", and the numbers of enums. Names are in camel case, without units.
    Letters of kinds: b bool, c char, B H i u q integers with 8 to 64 bits, f d floating point, s text, p other pointers,
    e. an enum, @ a struct."""
    numbers = {"bool": "b", "char": "c", "uint8_t": "B", "uint16_t": "H", "int32_t": "i", "uint32_t": "u", "size_t": "u",
               "uint64_t": "q", "float": "f", "double": "d"}

    def lower_camel(member):
        is_number = member.type in (Type("float"), Type("double"))
        name = camel(re.sub("_(degrees|pixels|seconds)$" if is_number else "_degrees$", "", member.name))
        return name[:1].lower() + name[1:]

    def kind_of(member):
        kind = member.type
        if kind.function or kind.stars or kind.base in header.callbacks:
            return "s" if kind.base == "char" and kind.stars == 1 else "p"
        if kind.base in header.enums or kind.base in header.structs:
            return ("e." if kind.base in header.enums else "@") + kind.base.removeprefix("pchr_")
        return numbers[kind.base]

    def is_used(struct):
        return struct.is_sized() or not any(member.type.function for member in struct.values)

    lines = ["// SPDX-License-Identifier: MIT", "// What pchr.h declares. Written by bindings/declarations.py.",
             "export const ENUMS = {"]
    for name, enum in header.enums.items():
        prefix = len(os.path.commonprefix([value.name for value in enum.values]).rpartition("_")[0]) + 1
        values = (f"'{value.name[prefix:].lower().replace('_', '-')}': {value.number}" for value in enum.values)
        lines.append(f"  {name.removeprefix('pchr_')}: {{{', '.join(values)}}},")
    lines += ["};", "export const STRUCTS = {"]
    for name, struct in header.structs.items():
        if is_used(struct):
            members = (f"{lower_camel(m)}:{kind_of(m)}{'*' * bool(m.size)}{m.size or ''}" for m in struct.values)
            lines.append(f"  {name.removeprefix('pchr_')}: '{' '.join(members)}',")
    return "\n".join([*lines, "};"]) + "\n"


def csharp(header):
    """Structs without pointers are public. Arrays become numbered members. Text is UTF-8 and ends with a zero."""
    numbers = {"bool": "byte", "char": "byte", "uint8_t": "byte", "uint16_t": "ushort", "int32_t": "int",
               "uint32_t": "uint", "uint64_t": "ulong", "size_t": "UIntPtr"}
    colors = {("float", "tint"): "Color", ("float", "dark_tint"): "Rgb", ("float", "additive"): "Rgb"}

    def plain(kind):
        if kind.stars or kind.function or kind.base in header.callbacks:
            return "IntPtr"
        return numbers.get(kind.base, camel(kind.base) if kind.base.startswith("pchr_") else kind.base)

    def is_public(struct):
        return not any(plain(m.type) == "IntPtr" or m.type.base == "char" or
                       m.type.base in header.structs and not is_public(m.type.base)
                       for m in header.structs[struct].values)

    def described(doc, *lines):
        return [f"/// <summary>{escape(doc)}</summary>", *lines]

    def member(struct, value, access):
        name, kind, base = camel(value.name), plain(value.type), value.type.base
        field = value.name[0] + name[1:]
        enum = re.search(r"\b(pchr_\w+)(;| combined)", value.doc) if kind in ("uint", "byte") else None
        if name == camel(struct):
            name += "_"
        if base == "char" and value.size:
            return f"[MarshalAs(UnmanagedType.ByValArray, SizeConst = {value.size})] {access} byte[] {name};"
        if (base, value.name) in colors:
            return f"{access} {colors[base, value.name]} {name};"
        if value.size:
            names = "RGBA" if name == "Color" else [f"{name.removesuffix('s')}{i}" for i in range(value.size)]
            return f"{access} {kind} {', '.join(names)};"
        if base == "bool":
            return (f"{kind} {field}; {access} bool {name} {{ get {{ return {field} != 0; }} "
                    f"set {{ {field} = (byte)(value ? 1 : 0); }} }}")
        if enum:
            named = camel(enum[1])
            return (f"{kind} {field}; {access} {named} {name} {{ get {{ return ({named}){field}; }} "
                    f"set {{ {field} = ({kind})value; }} }}")
        return f"{'internal' if name == 'StructSize' else access} {kind} {name};"

    def struct(name, access):
        lines = [line for value in header.structs[name].values
                 for line in described(value.doc, member(name, value, access))]
        return described(header.structs[name].doc, "[StructLayout(LayoutKind.Sequential)]",
                         f"{access} partial struct {camel(name)} {{", *lines, "}")

    def parameter(function, value, following):
        kind, base = value.type, plain(Type(value.type.base))
        name = "@" + value.name if value.name in ("out", "event") else value.name
        given = header.structs.get(kind.base)
        is_array = following in ("count", "capacity", "size") or kind.base == "uint8_t"
        if kind.base in header.handles and kind.stars == 1:
            is_freed = function.name.endswith("_free") or "frees the" in function.doc
            return f"{'IntPtr' if is_freed else base + 'Handle'} {name}"
        if not kind.stars:
            return f"[MarshalAs(UnmanagedType.I1)] bool {name}" if kind.base == "bool" else f"{plain(kind)} {name}"
        if kind.stars > 1 or given and not given.is_sized() and any(m.type.function for m in given.values):
            return f"IntPtr {name}"
        if kind.base in ("void", "char"):
            return f"byte[] {name}"
        if is_array or kind.const and not given:
            return f"{'' if kind.const else '[In, Out] '}{base}[] {name}"
        is_in = kind.const or given and given.is_sized() and not function.name.endswith("_init")
        return f"{'ref' if is_in else 'out'} {base} {name}"

    def declared(function):
        followers = [value.name for value in function.parameters[1:]] + [""]
        parameters = ", ".join(parameter(function, *pair) for pair in zip(function.parameters, followers))
        is_bool = function.result == Type("bool")
        result = "bool" if is_bool else plain(function.result)
        return ["[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]",
                *(["[return: MarshalAs(UnmanagedType.I1)]"] if is_bool else []),
                f"internal static extern {result} {function.name}({parameters});"]

    lines = ["// SPDX-License-Identifier: MIT", "// What pchr.h declares. Written by bindings/declarations.py.",
             "#pragma warning disable 0169, 0649", "using System;", "using System.Runtime.InteropServices;", "",
             "namespace Pchr {"]
    for name, enum in header.enums.items():
        prefix = len(os.path.commonprefix([value.name for value in enum.values]).rpartition("_")[0]) + 1
        numbered = {value.number for value in enum.values}
        lines += described(enum.doc, *(["[Flags]"] if 4 in numbered and 3 not in numbered else []),
                           f"public enum {camel(name)} {{")
        for value in enum.values:
            short = value.name[prefix:]
            short = camel(short.lower()) if short[0].isalpha() else "_" + short
            lines += described(value.doc, f"{short} = {value.number},")
        lines.append("}")
    for name in filter(is_public, header.structs):
        lines += struct(name, "public")
    lines += ["static class Native {", 'internal const string Library = "pchr_c";']
    lines += [f"internal const uint {camel(name[5:].lower())} = {value};" for name, value in header.constants.items()]
    lines += [line for name in header.structs if not is_public(name) for line in struct(name, "internal")]
    lines += [line for function in header.functions.values() for line in declared(function)]
    lines.append("}")
    for handle in header.handles:
        name = camel(handle) + "Handle"
        lines += [f"sealed class {name} : Handle {{", f"internal {name}(IntPtr handle) : base(handle) {{ }}",
                  f"protected override bool ReleaseHandle() {{ Native.{handle}_free(handle); return true; }}", "}"]
    text, depth = "", 0
    for line in [*lines, "}"]:
        depth -= line == "}"
        text += "  " * depth + line + "\n"
        depth += line.endswith("{")
    return text


if __name__ == "__main__":
    for out in map(pathlib.Path, sys.argv[2:]):
        out.write_text({".cs": csharp, ".py": ctypes, ".js": javascript, ".h": ffi}[out.suffix](parse(sys.argv[1])), encoding="utf-8")
