"""Reads `where`, `when` and `holds`: names, ( ) and the operators `! & ^ |`; `!` binds tightest.

In `holds`, the names are fields, which are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model.expressions import Expr, Op
from model.record import record
from model.refs import Ref
from model.trees import ENDS, link_tag
from names.nearest import suggest
from source.source import Place

MAX_LENGTH = 4_096  # characters of one expression
MAX_DEPTH = 64  # depth of parentheses and `!`

# Functions that take the name of a component or relation.
FUNCTIONS = {
    "added": Op.ADDED,
    "changed": Op.CHANGED,
    "removed": Op.REMOVED,
    "changed_parent": Op.CHANGED_PARENT,
    "root": Op.ROOT,
    "leaf": Op.LEAF,
}
# These functions may be around from(…) and to(…), which take the name of a link.
_AROUND_ENDS = ("added", "changed", "removed")


@record
class Asked:
    """The words of messages about one kind of expression."""

    of: str
    example: str
    functions: tuple[str, ...]
    shorter: str  # help if it is too long
    states: bool = False  # it compares states, as in game == play
    values: str = ""  # help if it compares something else


WHERE = Asked(
    "component", "position", (*FUNCTIONS, *ENDS), "use a tag for a part of it",
    values="'where' cannot compare: compare values in the function, and states in 'when'",
)  # fmt: skip
HOLDS = Asked("field", "amount", (), "remove a part of it")
WHEN = Asked(
    "singleton", "calendar", ("changed",), "return early in the function instead", True,
    values="'when' compares only states: compare other values in the function, and return early",
)  # fmt: skip

At = Callable[[int, int], Place]  # returns the place of a span of the expression

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KNOWN = re.compile(rf"{_NAME.pattern}|[!&|^()]")
_TOKEN = re.compile(rf"\s*({_NAME.pattern}|&&|\|\||!=|==|\S|$)")
# The syntax of `holds`: paths to values, numbers and comparison signs.
SIGNS = ("==", "!=", "<", "<=", ">", ">=")
_PATH = rf"{_NAME.pattern}(?:\[[A-Za-z0-9_]+\]|\.{_NAME.pattern})*"
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
_OPERAND = re.compile(rf"{_PATH}|{_NUMBER}")
_COMPARED = re.compile(rf"\s*({_PATH}|{_NUMBER}|&&|\|\||==|!=|<=|>=|\S|$)")
_COMPARING = (*SIGNS, "=", ".")
_OPERATORS = ((Op.OR, "|"), (Op.XOR, "^"), (Op.AND, "&"))  # loosest first
_FOREIGN = {
    "and": "&", "or": "|", "not": "!", "xor": "^",
    "&&": "&", "||": "|", "!=": "^", "~": "!", ",": "&",
}  # fmt: skip


class WhereError(Exception):
    """A text that is not an expression, with a message, the place and help."""

    def __init__(self, id: str, place: Place, message: str, help: str) -> None:
        super().__init__(message)
        self.id = id
        self.place = place
        self.message = message
        self.help = help


@record
class _Token:
    text: str  # "" at the end
    start: int


def read_where(text: str, at: At, asked: Asked = WHERE) -> Expr:
    """Parses an expression. Raises WhereError."""
    if len(text) > MAX_LENGTH:
        message = f"this expression has more than {MAX_LENGTH} characters"
        raise WhereError("where-syntax", at(0, len(text)), message, asked.shorter)
    parser = (HoldsParser if asked is HOLDS else Parser)(text, at, asked)
    expr = parser.binary(0, 0)
    parser.end()
    return expr


class Parser:
    _token = _TOKEN

    def __init__(self, text: str, at: At, asked: Asked) -> None:
        self._at, self._asked = at, asked
        self._tokens = []
        for match in self._token.finditer(text):
            self._tokens.append(_Token(match[1], match.start(1)))
            if not match[1]:
                break
        self._next = 0

    def binary(self, level: int, depth: int) -> Expr:
        """Parses an expression whose loosest operator is that of this level."""
        if level == len(_OPERATORS):
            return self._unary(depth)
        op, sign = _OPERATORS[level]
        start = self._peek().start
        operands = [self.binary(level + 1, depth)]
        while self._peek().text == sign:
            self._take()
            operands.append(self.binary(level + 1, depth))
        if len(operands) == 1:
            return operands[0]
        return Expr(op, self._since(start), operands=tuple(operands))

    def _unary(self, depth: int) -> Expr:
        token = self._take()
        if depth > MAX_DEPTH:
            message = f"'!' and parentheses are nested more than {MAX_DEPTH} deep"
            raise self._error(token, message, "use fewer parentheses")
        if token.text == "!":
            operand = self._unary(depth + 1)
            return Expr(Op.NOT, self._since(token.start), operands=(operand,))
        if token.text == "(":
            inner = self.binary(0, depth + 1)
            self._close(token)
            return inner
        return self._atom(token)

    def _atom(self, token: _Token) -> Expr:
        if token.text in _FOREIGN or not _NAME.fullmatch(token.text):
            raise self._unexpected(token, "a name is missing here")
        if self._peek().text == "(":
            return self._function(token)
        if self._asked.states and self._peek().text in ("==", "!=", "="):
            return self._state(token)
        return Expr(Op.HAS, self._place(token), ref=Ref(token.text, self._place(token)))

    def end(self) -> None:
        token = self._peek()
        if token.text == ")":
            raise self._error(token, "this ')' has no '('", "remove it, or add a '('")
        if token.text:
            raise self._unexpected(token, "an operator is missing before this")

    def _close(self, opening: _Token) -> None:
        if self._peek().text == ")":
            self._take()
            return
        if not self._peek().text:
            raise self._error(opening, "this '(' has no ')'", "add a ')'")
        self.end()

    def _function(self, token: _Token) -> Expr:
        if token.text in ENDS and token.text in self._asked.functions:
            return self._end(token)
        if token.text not in FUNCTIONS:
            *words, last = (f"{word}(name)" for word in self._asked.functions)
            help = f"only {', '.join(words)} and {last} take parentheses"
            help = help if words else f"only {last} takes parentheses"
            help = suggest(token.text, self._asked.functions) or help
            raise self._error(token, f"'{token.text}' is not a function", help)
        of, example = self._asked.of, self._asked.example
        of, example = ("relation", "tree") if token.text in ("root", "leaf") else (of, example)
        opening, name = self._take(), self._take()
        if name.text in ENDS and token.text in _AROUND_ENDS and self._peek().text == "(":
            inner = self._end(name)
            self._close(opening)
            return inner._replace(op=FUNCTIONS[token.text], place=self._since(token.start))
        if name.text in _FOREIGN or not _NAME.fullmatch(name.text):
            message = f"{token.text}(…) needs the name of a {of}"
            raise self._error(name, message, f"write it like {token.text}({example})")
        if self._peek().text == "(":
            message = f"{token.text}(…) takes the name of a {of}, not {name.text}(…)"
            raise self._error(name, message, "ask for each separately, with & or | between them")
        if self._peek().text not in (")", ""):
            message = f"{token.text}(…) takes only one {of}"
            raise self._error(
                self._peek(), message, "ask for each separately, with & or | between them"
            )
        self._close(opening)
        ref = Ref(name.text, self._place(name))
        return Expr(FUNCTIONS[token.text], self._since(token.start), ref=ref)

    def _end(self, token: _Token) -> Expr:
        """Parses the rest of `from(owes)`."""
        opening, name = self._take(), self._take()
        if name.text in _FOREIGN or not _NAME.fullmatch(name.text):
            message = f"{token.text}(…) needs the name of a link"
            raise self._error(name, message, f"write it like {token.text}(owes)")
        if self._peek().text == "(":
            message = f"{token.text}(…) takes the name of a link, not {name.text}(…)"
            help = "ask for each separately, with & or | between them"
            raise self._error(name, message, help)
        if self._peek().text not in (")", ""):
            message = f"{token.text}(…) takes only one link"
            help = "ask for each separately, with & or | between them"
            raise self._error(self._peek(), message, help)
        self._close(opening)
        link, place = Ref(name.text, self._place(name)), self._since(token.start)
        tag = Ref(link_tag(link.name, token.text), place)
        return Expr(Op.HAS, place, ref=tag, link=link, end=token.text)

    def _state(self, token: _Token) -> Expr:
        sign, value = self._take(), self._take()
        if sign.text != "==":
            help = "write =="
            help = f"write !({token.text} == {value.text})" if sign.text == "!=" else help
            raise self._error(sign, f"'{sign.text}' is not an operator", help)
        if not _NAME.fullmatch(value.text):
            message = f"a value of '{token.text}' is missing here"
            raise self._error(value, message, f"write {token.text} == and the name of a value")
        ref, is_value = (Ref(one.text, self._place(one)) for one in (token, value))
        return Expr(Op.IS, self._since(token.start), ref=ref, value=is_value)

    def _unexpected(self, token: _Token, message: str) -> WhereError:
        help = "an expression consists of names, ! & | ^ and parentheses"
        if token.text in _FOREIGN:
            message, help = f"'{token.text}' is not an operator", f"write '{_FOREIGN[token.text]}'"
        elif token.text and not _KNOWN.fullmatch(token.text):
            message = f"'{token.text}' cannot be used in an expression"
            help = self._asked.values if token.text in _COMPARING else help
        return self._error(token, message, help)

    def _error(self, token: _Token, message: str, help: str) -> WhereError:
        return WhereError("where-syntax", self._place(token), message, help)

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._peek()
        if token.text:
            self._next += 1
        return token

    def _place(self, token: _Token) -> Place:
        return self._at(token.start, max(len(token.text), 1))

    def _since(self, start: int) -> Place:
        """Returns the place from `start` to the end of the previous token."""
        last = self._tokens[self._next - 1]
        return self._at(start, last.start + len(last.text) - start)


class HoldsParser(Parser):
    """Parses `holds`. Its atoms are single fields or comparisons."""

    _token = _COMPARED

    def _atom(self, token: _Token) -> Expr:
        if token.text in _FOREIGN or not _NAME.match(token.text):
            raise self._unexpected(token, "a field is missing here")
        ref = Ref(token.text, self._place(token))
        if self._peek().text == "=":
            raise self._error(self._peek(), "'=' is not a comparison", "write ==")
        if self._peek().text not in SIGNS:
            return Expr(Op.COMPARES, ref.place, ref=ref)
        sign, value = self._take(), self._take()
        if not _OPERAND.fullmatch(value.text):
            message = f"the value that '{token.text}' is compared with is missing here"
            help = f"write a number, a name or a field after {sign.text}"
            if value.text in ('"', "'"):
                message = f"'{token.text}' is compared with a text, which is not possible"
                help = (
                    "compare numbers, bools, enums and handles; write names of values without "
                    "quotes"
                )
            raise self._error(value, message, help)
        with_value = Ref(value.text, self._place(value))
        place = self._since(token.start)
        return Expr(Op.COMPARES, place, ref=ref, value=with_value, sign=sign.text)

    def _unexpected(self, token: _Token, message: str) -> WhereError:
        known = _OPERAND.fullmatch(token.text) or token.text in ("", *SIGNS, *"!&|^()")
        help = "an expression consists of fields, == != < <= > >= ! & | ^ and parentheses"
        if token.text in _FOREIGN and token.text != "!=":
            message, help = f"'{token.text}' is not an operator", f"write '{_FOREIGN[token.text]}'"
        elif not known:
            message = f"'{token.text}' cannot be used in an expression"
        return self._error(token, message, help)
