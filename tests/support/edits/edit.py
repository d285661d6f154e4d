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
    verdicts: tuple[str, ...]  # lines of `check --saves`; ~ stands for BREAKS
    made: str = ""  # script of the probe, in the world before the edit
    asked: str = ""  # script in the world after the edit, once it has loaded the save
    answers: tuple[str, ...] = ()
    source: str = ""  # statements of a game with w, a world, and e, an entity
    compiles: bool = True  # with the world after the edit; with the one before they always do
    unfit: str = ""  # what else leads to a save that is refused
    refusal: str = ""  # with this message

    def own(self, number: int) -> Edit:
        """Returns the edit with names and entities inserted; the entities are the number-th two."""

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
