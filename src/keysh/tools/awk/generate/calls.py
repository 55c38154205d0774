"""Generate the code of calls of built-in functions."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.text.regex.regex import Regex
from keysh.tools.awk.generate.assignments import AssignmentCoder
from keysh.tools.awk.generate.substitution import make_substitution
from keysh.tools.awk.generate.text_parts import (
    MAX_UNASKED_RECORDS,
    TextPart,
    joined_code,
    records_of,
    text_part,
)
from keysh.tools.awk.run.format import python_template, template_filler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.awk.generate.code import Code

# Functions of numbers only: awk's name, and the one in generated code.
NUMERIC_FUNCTIONS = {
    "and": "bit_and", "atan2": "atan2", "compl": "complement", "cos": "cosine",
    "int": "integer_part", "lshift": "shift_left", "or": "bit_or", "rshift": "shift_right",
    "sin": "sine", "xor": "bit_xor",
}  # fmt: skip
# Functions of numbers that warn about arguments out of their domain.
WARNING_FUNCTIONS = {"exp": "exponential", "log": "logarithm", "sqrt": "root"}


class CallCoder(AssignmentCoder):
    """Generates calls of built-in functions."""

    def of_builtin(self, node: tree.Builtin) -> Code:
        name, arguments = node.name, node.arguments
        if name in NUMERIC_FUNCTIONS:
            numbers = [self.number(argument) for argument in arguments]
            return "pure", f"{NUMERIC_FUNCTIONS[name]}({', '.join(numbers)})"
        if name in WARNING_FUNCTIONS:
            return "pure", f"{WARNING_FUNCTIONS[name]}(m.warn_here, {self.number(arguments[0])})"
        method = getattr(self, f"call_{name}")
        code: Code = method(arguments)
        return code

    def whole_record(self) -> str:
        """Return the code of $0."""
        return "line" if self.is_fast else "rec.whole()"

    # ------------------------------------------------------------ strings

    def call_length(self, arguments: list[tree.Node]) -> Code:
        if not arguments:
            return "pure", f"float(len({self.whole_record()}))"
        first = arguments[0]
        if isinstance(first, tree.Name) and self.is_array(first):
            return "pure", f"float(len({self.array(first)}))"
        if isinstance(first, tree.Element):
            return "pure", f"length(m, {self.value(first)})"
        return "pure", f"float(len({self.text(first)}))"

    def call_substr(self, arguments: list[tree.Node]) -> Code:
        text, *numbers = arguments
        codes = ["m", self.text(text), *(self.number(number) for number in numbers)]
        return "text", f"substr({', '.join(codes)})"

    def call_index(self, arguments: list[tree.Node]) -> Code:
        text, target = map(self.text, arguments)
        if self.names.is_dynamic:
            text, target = f"m.fold_case({text})", f"m.fold_case({target})"
        return "pure", f"({text}.find({target}) + 1.0)"

    def call_tolower(self, arguments: list[tree.Node]) -> Code:
        return "text", f"change_case(m, to_lower, {self.text(arguments[0])})"

    def call_toupper(self, arguments: list[tree.Node]) -> Code:
        return "text", f"change_case(m, to_upper, {self.text(arguments[0])})"

    def call_sprintf(self, arguments: list[tree.Node]) -> Code:
        return "text", self.sprintf_code(arguments)

    def sprintf_code(self, arguments: list[tree.Node]) -> str:
        """Return the code of sprintf. Python's `%` formats whatever it formats the same way."""
        format_node, *values = arguments
        while isinstance(format_node, tree.Group):
            format_node = format_node.inner
        if isinstance(format_node, tree.String):
            template = python_template(format_node.value)
            if template is not None and len(template[1]) == len(values) and values:
                python_format, letters = template
                codes = [
                    self.text(value) if letter == "s" else self.number(value)
                    for letter, value in zip(letters, values, strict=True)
                ]
                parts = [
                    text_part(self, value, code) if letter == "s" else TextPart(code, 0)
                    for letter, value, code in zip(letters, values, codes, strict=True)
                ]
                return self.template_code(format_node.value, python_format, letters, parts)
        codes = [self.text(format_node), *(self.value(value) for value in values)]
        return f"m.sprintf({', '.join(codes)})"

    def template_code(
        self, form: str, python_format: str, letters: str, parts: list[TextPart]
    ) -> str:
        """Return the code of sprintf with a format that is also one of Python's."""
        form_name = self.table.text(form)
        if letters == "s" * len(letters):
            name = self.table.text(python_format)
            return joined_code(
                self, parts, lambda codes: f"({name} % ({', '.join(codes)},))",
                lambda codes: f"m.sprintf({', '.join([form_name, *codes])})",
            )  # fmt: skip
        name = self.table.function(template_filler(form, python_format, letters))
        if records_of(parts) <= MAX_UNASKED_RECORDS:
            return f"{name}(m, {', '.join(part.code for part in parts)})"
        return f"m.sprintf({', '.join([form_name, *(part.code for part in parts)])})"

    def replace_in_target(self, name: str, arguments: list[tree.Node]) -> Code:
        target = arguments[2] if len(arguments) > 2 else tree.Field(0, tree.Number(0, 0.0))
        while isinstance(target, tree.Group):
            target = target.inner
        result = self.temporary()
        code = f"({result} := {self.replacement_code(name, arguments, self.text(target))})[1]"
        if not isinstance(target, tree.Name | tree.Element | tree.Field):
            return "pure", code
        is_record = isinstance(target, tree.Field) and is_zero(target.index)
        text = f"{result}[0]"
        store = f"rec.assign_whole({text})" if is_record else self.store_code(target, text)
        return "pure", f"(({store}, {result}[1])[1] if {code} else 0.0)"

    def replacement_code(self, name: str, arguments: list[tree.Node], text: str) -> str:
        """Return the code of the changed text paired with the number of replacements."""
        regex, replacement = self.regex(arguments[0]), arguments[1]
        constant = self.table.values.get(regex)
        if isinstance(constant, Regex) and isinstance(replacement, tree.String):
            function = make_substitution(constant, replacement.value, is_global=name == "gsub")
            return f"{self.table.function(function)}(m, {text})"
        return f"{name}(m, {regex}, {self.text(replacement)}, {text})"

    def call_sub(self, arguments: list[tree.Node]) -> Code:
        return self.replace_in_target("sub", arguments)

    def call_gsub(self, arguments: list[tree.Node]) -> Code:
        return self.replace_in_target("gsub", arguments)

    def call_gensub(self, arguments: list[tree.Node]) -> Code:
        regex, replacement, how, *rest = arguments
        text = self.text(rest[0]) if rest else self.whole_record()
        codes = [self.regex(regex), self.text(replacement), self.value(how), text]
        return "text", f"gensub(m, {', '.join(codes)})"

    def call_match(self, arguments: list[tree.Node]) -> Code:
        text, regex, *array = arguments
        codes = [self.text(text), self.regex(regex), *(self.array(each) for each in array)]
        return "pure", f"match(m, {', '.join(codes)})"

    # ------------------------------------------------------------ arrays

    def call_split(self, arguments: list[tree.Node]) -> Code:
        text, array, *rest = arguments
        codes = [self.text(text), self.array(array)]
        if rest:
            separator = rest[0]
            is_regex = isinstance(separator, tree.RegexLiteral)
            codes.append(self.regex(separator) if is_regex else self.text(separator))
        codes += [self.array(each) for each in rest[1:]]
        return "pure", f"split(m, {', '.join(codes)})"

    def call_patsplit(self, arguments: list[tree.Node]) -> Code:
        text, array, *rest = arguments
        regex = self.regex(rest[0]) if rest else "m.regex(m.FPAT)"
        codes = [self.text(text), self.array(array), regex, *map(self.array, rest[1:])]
        return "pure", f"patsplit(m, {', '.join(codes)})"

    def sort_code(self, name: str, arguments: list[tree.Node]) -> Code:
        codes = [self.array(each) for each in arguments[:2]]
        codes += [self.text(each) for each in arguments[2:]]
        return "pure", f"{name}({', '.join(['m', *codes])})"

    def call_asort(self, arguments: list[tree.Node]) -> Code:
        return self.sort_code("asort", arguments)

    def call_asorti(self, arguments: list[tree.Node]) -> Code:
        return self.sort_code("asorti", arguments)

    def call_isarray(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"(1.0 if {self.any_value(arguments[0])}.__class__ is Array else 0.0)"

    def call_typeof(self, arguments: list[tree.Node]) -> Code:
        argument = arguments[0]
        if isinstance(argument, tree.Field):
            index, fields = self.number(argument.index), "F" if self.is_fast else "rec.all()"
            return "text", f"type_of_field({index}, {fields}, {self.value(argument)})"
        return "text", f"type_name({self.any_value(argument)})"

    # ------------------------------------------------------------ numbers, times, commands, files

    def call_strtonum(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"strtonum({self.value(arguments[0])})"

    def call_rand(self, arguments: list[tree.Node]) -> Code:
        return "pure", "m.rand()"

    def call_srand(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"m.srand({', '.join(map(self.value, arguments))})"

    def call_systime(self, arguments: list[tree.Node]) -> Code:
        return "pure", "systime(m)"

    def call_strftime(self, arguments: list[tree.Node]) -> Code:
        makers = (self.text, self.number, self.truth)
        codes = [make(argument) for make, argument in zip(makers, arguments, strict=False)]
        return "text", f"strftime({', '.join(['m', *codes])})"

    def call_mktime(self, arguments: list[tree.Node]) -> Code:
        codes = [self.text(arguments[0]), *map(self.truth, arguments[1:])]
        return "pure", f"mktime(m, {', '.join(codes)})"

    def call_system(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"m.system({self.text(arguments[0])})"

    def call_close(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"m.streams.close({', '.join(map(self.text, arguments))})"

    def call_fflush(self, arguments: list[tree.Node]) -> Code:
        return "pure", f"m.fflush({', '.join(map(self.text, arguments))})"


def is_zero(node: tree.Node) -> bool:
    """Return whether the index of a field is that of $0."""
    return isinstance(node, tree.Number) and not node.value
