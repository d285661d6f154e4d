"""One edit of a schema, and the parts that many edits share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

BREAKS = "; source code that uses it does not compile"
UNSUITED = "; let the schema allow it, or give the new field another name"  # of a value


@dataclass(frozen=True)
class Edit:
    id: str
    before: str
    after: str
    verdicts: tuple[str, ...]  # lines of `check --saves`; ~ stands for what source does not survive
    made: str = ""  # script of the probe, in the world of before
    asked: str = ""  # script in the world of after, once it has loaded that
    answers: tuple[str, ...] = ()
    source: str = ""  # statements of a game with w, a world, and e, an entity
    compiles: bool = True  # with the world of after; with that of before they always do
    unfit: str = ""  # what else makes a save that is refused
    refusal: str = ""  # with these words

    def own(self, number: int) -> Edit:
        """With names and entities put in; the entities are the number-th two."""

        def insert(text: str) -> str:
            text = text.replace("@@", self.id.upper()).replace("@", self.id).replace("~", BREAKS)
            return text.replace("#0", str(2 * number)).replace("#1", str(2 * number + 1))

        texts: dict[str, Any] = {
            key: insert(value) for key, value in vars(self).items() if isinstance(value, str)
        }
        verdicts, answers = tuple(map(insert, self.verdicts)), tuple(map(insert, self.answers))
        return replace(self, **texts, verdicts=verdicts, answers=answers)


FIELDS = "[component.@.fields]\n"
USES_X = "evolve_@_edit(w, e)->x = 1;"
WITH_X = f'{FIELDS}x = {{ type = "u8", default = 3 }}\n'
