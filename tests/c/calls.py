# SPDX-License-Identifier: MIT
"""Writes a C program that calls every function of pchr.h, with a 2D and a 3D character and with arguments that make no
sense. calls.h has what it needs.

    calls.py PCHR_H OUT

Each parameter has variants. The first is good for the 2D character, the second for the 3D one. They and a few others
are combined with those of the other parameters, the rest only with good ones. Variants of a struct are: good ones,
NULL, zero, of an impossible size, and for each member, a zero struct with a good one and a good struct with a bad one.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "bindings"))
import declarations

header = declarations.parse(sys.argv[1])
# A context without a window becomes current when it is created: calls.h creates the only one.
apart = {"pchr_headless_create", "pchr_headless_free"}
integers = {"uint8_t", "uint16_t", "int32_t", "uint32_t", "uint64_t", "size_t"}
texts = {"path": "path[{k}]", "folder": "folder", "image_folder": "folder", "text_encoding": '"UTF-8"'}
lines = []


def is_count(value):
    return value.name in ("count", "capacity", "size") or value.name.endswith("_count")


def is_in(value):
    """Whether a function reads a struct, at least its size."""
    struct = header.structs.get(value.type.base)
    return struct is not None and value.type.stars == 1 and (value.type.const or struct.is_sized())


def declaration(kind, name):
    return f"{'const ' * kind.const}{kind.base} {'*' * kind.stars}{name}"


def fill(struct, k):
    """Returns assignments of good values for character `k` to the members of `struct`, by name."""
    return {value.name: good(value, "to->" + value.name, k) for value in header.structs[struct].values}


def good(value, place, k):
    kind, name = value.type, value.name
    if value.size:
        return "".join(good(value._replace(size=0), f"{place}[{i}]", k) for i in range(value.size)
                       if kind.base != "char")
    if kind.function or kind.base in header.callbacks:
        return f"{place} = call_{name};"
    if kind.stars == 1 and kind.base == "char":
        return f"{place} = {texts.get(name, 'name').format(k=k)};"
    if kind.stars == 1 and kind.base in header.handles:
        return f"{place} = good_{kind.base}[{k}];"
    if kind.stars == 1 and kind.base in header.structs:
        return f"{place} = &kept_{kind.base}[{k}];"
    if kind.stars:
        return "" if kind.base == "void" else f"{place} = {'names' if kind.stars == 2 else '(void*)zeros'};"
    if kind.base in header.structs:
        return f"good_{kind.base}_struct(&{place}, {k});"
    if name == "struct_size":
        return f"{place} = sizeof *to;"
    number = 1 if is_count(value) or kind.base in ("float", "double", "bool") else 0
    return f"{place} = {number};"


def bad(value, place):
    kind = value.type
    if value.size:
        return "".join(bad(value._replace(size=0), f"{place}[{i}]") for i in range(value.size) if kind.base != "char")
    if kind.stars or kind.function or kind.base in header.callbacks:
        return f"{place} = NULL;"
    if kind.base in header.structs:
        return "".join(bad(member, f"{place}.{member.name}") for member in header.structs[kind.base].values)
    if value.name == "struct_size" or is_count(value) or kind.base in ("bool", "void"):
        return ""
    if kind.base in header.enums:
        return f"{place} = ({kind.base})99;"
    return f"{place} = {'NAN' if kind.base in ('float', 'double') else f'({kind.base})-1'};"


def write_struct(name):
    """Writes a function for good values and one for every variant but NULL, and returns the number of variants."""
    struct = header.structs[name]
    goods = [fill(name, k) for k in range(2)]
    lines.extend([f"static {name} kept_{name}[2];", f"static void good_{name}_struct({name}* to, int k) {{",
                  "memset(to, 0, sizeof *to);"])
    for k in range(2):
        lines.extend([f"if (k == {k}) {{", *goods[k].values(), "}"])
    lines.append("}")
    if name not in given:
        return 0
    variants = [f"good_{name}_struct(to, 0);", f"good_{name}_struct(to, 1);", "", "",
                f"good_{name}_struct(to, 0); *(uint32_t*)to = 1;" if struct.is_sized() else ""]
    for value in struct.values:
        if wrong := bad(value, "to->" + value.name):
            variants += [goods[k][value.name] for k in range(2)]
            variants += [f"good_{name}_struct(to, {k}); {wrong}" for k in range(2)]
    lines.extend([f"static void fill_{name}({name}* to, unsigned variant) {{", "memset(to, 0, sizeof *to);",
                  "switch (variant) {"])
    lines.extend(f"case {i}: {text} break;" for i, text in enumerate(variants) if text)
    lines.extend(["}", "}"])
    return len(variants)


def numbers(kind, name):
    """Returns the numbers that are combined, and others."""
    if kind.base == "bool":
        return ["false", "true"], []
    if kind.base in header.enums:
        return ["0", "1"], [f"({kind.base})99", f"({kind.base})-1"]
    if kind.base in integers:
        return ["0", "1"], ["PCHR_NONE", "0x7fffffff"]
    return ["0", "1"], ["NAN", "INFINITY", "-1e30", "1e30"]


def write_function(function, variants_of):
    """Writes a function that makes all calls of `function`."""
    setup, clean, arguments, conditions = [], [], [], []
    combined, all_variants = [], []
    name = function.name
    frees = name.endswith("_free") or "frees the" in function.doc
    followers = [value.name for value in function.parameters[1:]] + [""]
    for i, (value, next_name) in enumerate(zip(function.parameters, followers)):
        kind, at = value.type, f"at[{i}]"
        length = next_name in ("count", "capacity", "size")
        arguments.append(f"a{i}")
        variable = f"{declaration(kind, f'a{i}')} ="
        if kind.stars == 1 and kind.base in header.handles:
            made = f"make_{kind.base}({at})" if frees else f"good_{kind.base}[{at}]"
            setup.append(f"{variable} {at} < 2 ? {made} : NULL;")
            counts = 3, 3
            if i == 0:
                conditions.append("a0 == NULL")
        elif kind.base in header.callbacks:
            setup.append(f"{kind.base} a{i} = {at} < 2 ? call_{value.name} : NULL;")
            counts = 3, 3
        elif kind.stars == 1 and kind.base == "char" and not length:
            text = [texts.get(value.name, "name").format(k=k) for k in range(2)]
            setup += [f"const char* text{i}[] = {{{text[0]}, {text[1]}, NULL, \"\", \"\\xff\"}};",
                      f"{variable} text{i}[{at}];"]
            # The files of a character that is saved to "" would be written to "/".
            counts = (3, 4 if value.name == "folder" else 5)
        elif is_in(value):
            # In an array, all elements are the same.
            setup += [f"{kind.base}* const s{i} = calloc(3, sizeof *s{i});",
                      f"for (int j = 0; j < 3; ++j) fill_{kind.base}(s{i} + j, (unsigned){at});",
                      f"{variable} {at} == 2 ? NULL : s{i};"]
            clean.append(f"free(s{i});")
            counts = 4, variants_of[kind.base]
            if header.structs[kind.base].is_sized() and function.result.base != "void":
                conditions.append(f"({at} == 4 && a{i + 1} > 0)" if length else f"{at} == 4")
        elif kind.stars:
            # Of exactly the size that the next argument says, if it does.
            elements = "1" if kind.base in header.structs else "4096"
            if length:
                elements = f"(size_t)a{i + 1} * ELEMENTS_{value.name}"
            if kind.stars == 2:
                setup.append(f"{variable} {at} == 2 ? (void*)zeros : NULL;")
            else:
                element = "1" if kind.base == "void" else f"sizeof({kind.base})"
                setup += [f"void* const b{i} = calloc({elements}, {element});",
                          f"{variable} {at} == 2 ? NULL : b{i};"]
                clean.append(f"free(b{i});")
            counts = 3, 3
        else:
            first, others = numbers(kind, value.name)
            if value.name == "struct_size":
                first, others = [f"sizeof({function.parameters[0].type.base})", "0"], ["1", "PCHR_NONE"]
            elif value.name == "layer":
                others += ["PCHR_MAX_LAYERS"]
            elif is_count(value):
                is_of_structs = function.parameters[i - 1].type.base in header.structs
                first, others = ["1", "3" if is_of_structs else "LARGE"], ["0"]
            elif value.name in ("width", "height"):
                first, others = ["1", "2"], ["0", "PCHR_NONE"]
            setup.append(f"const {kind.base} n{i}[] = {{{', '.join(first + others)}}};")
            setup.append(f"{declaration(kind, f'a{i}')} = n{i}[{at}];")
            counts = len(first), len(first) + len(others)
        combined.append(counts[0])
        all_variants.append(counts[1])
    # Arguments that depend on later ones come after them.
    setup.sort(key=lambda line: line.startswith("void* const b") or bool(re.match(r".*== 2 \? NULL : b\d", line)))

    result = function.result
    call = f"{name}({', '.join(arguments)})"
    count = len(arguments)
    lines.append(f"static void call_{name}(void) {{")
    if count:
        lines.extend([f"static const unsigned combined[] = {{{', '.join(map(str, combined))}}};",
                      f"static const unsigned all[] = {{{', '.join(map(str, all_variants))}}};",
                      f"unsigned at[{count}] = {{0}};", "struct progress progress = {0};", "do {",
                      f"describe(\"{name}\", at, {count});"])
    else:
        lines.append("{")
    lines.extend(setup)
    if result == declarations.Type("void"):
        lines.append(call + ";")
    else:
        lines.append(f"{declaration(result, 'result')} = {call};")
        is_plain = result.stars or result.base in {"bool", *integers} and result.base not in header.structs
        if conditions and is_plain:
            failed = "result == NULL" if result.stars else "!result"
            if result.base == "uint32_t" and not result.stars:
                failed += " || result == PCHR_NONE"
            lines.append(f"if ({' || '.join(conditions)}) expect({failed});")
        if result.base in header.handles:
            lines.append(f"{result.base}_free(result);")
        else:
            lines.append("(void)result;")
    lines.extend(clean)
    lines.append(f"}} while (next(&progress, at, combined, all, {count}));" if count else "}")
    lines.append("}")


given = {value.type.base for function in header.functions.values() for value in function.parameters if is_in(value)}
lines += ["/* Written by calls.py. */", "#include \"calls.h\""]
# Structs refer to each other.
lines += [f"static void good_{name}_struct({name}* to, int k);" for name in header.structs]
lines += [f"static {name} kept_{name}[2];" for name in header.structs]
variants = {name: write_struct(name) for name in header.structs}
for function in header.functions.values():
    if function.name not in apart:
        write_function(function, variants)
lines += ["static void keep_structs(void) {"]
lines += [f"for (int k = 0; k < 2; ++k) good_{name}_struct(&kept_{name}[k], k);" for name in header.structs]
lines += ["}", "static const struct function functions[] = {"]
for name, function in header.functions.items():
    if name not in apart:
        changes = any(value.type.base in header.handles and not value.type.const for value in function.parameters)
        lines.append(f'{{"{name}", call_{name}, {str(changes).lower()}}},')
lines += ["};", "int main(int argc, char** argv) {",
          "return call_all(argc, argv, functions, sizeof functions / sizeof *functions, keep_structs);", "}"]
pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")
