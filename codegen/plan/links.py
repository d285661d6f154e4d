"""Plans links: the type of their values, and their calls."""

from __future__ import annotations

from model.data import Link
from model.trees import link_tag, link_tags
from plan import text
from plan.common import Common
from plan.hooks import make_link_hooks
from plan.lists import NONE
from plan.records.data import GrantedPlan
from plan.records.link import LinkPlan
from plan.structs import Structs


def make_link(link: Link, common: Common, structs: Structs) -> LinkPlan:
    names, name = common.names, link.name
    struct = structs.struct(link, names.link(name))
    hooks = make_link_hooks(link, names)
    granted = common.granted
    flags = {
        "symmetric": link.symmetric,
        "from_despawns": link.ends.source == "despawn",
        "to_despawns": link.ends.target == "despawn",
    }
    ends = {member: "true" for member, given in flags.items() if given}
    defaults = {} if link.is_bare else {"defaults": f"&{names.local('defaults', name)}"}
    kinds = {hook.kind for hook in link.hooks}
    info = {
        "save": "true",
        **ends,
        **{kind: "true" for kind in ("on_add", "on_remove") if kind in kinds},
        **defaults,
        "was": text.string_literal(link.was),
    }
    return LinkPlan(
        struct=struct.with_row(struct.page.row | info),
        constant=names.number("link", name),
        stem=names.stem(name),
        symmetric=link.symmetric,
        despawns=_despawns(link),
        words=_words(link, struct.layout.bytes) + _watched(link, common),
        lends=any(common.changes.lends(tag) for tag in link_tags(name)),
        granted=GrantedPlan(name in granted.links, name in granted.written_links),
        hooks=hooks,
        row={
            "size": struct.page.row["size"],
            "align": struct.page.row["align"],
            **defaults,
            **ends,
            "from_tag": _tag(link, "from", common),
            "to_tag": _tag(link, "to", common),
            "has_entities": struct.layout.has_entities,
            **{hook.kind: hook.wrapper.name for hook in hooks},
        },
    )


def _watched(link: Link, common: Common) -> str:
    """Names the readers that watch its ends, for comments."""
    words = (common.changes.watched_words(tag) for tag in link_tags(link.name))
    return "".join(dict.fromkeys(words))


def _tag(link: Link, end: str, common: Common) -> str:
    """Returns the constant of the tag of rows at an end."""
    tag = link_tag(link.name, end)
    asked = tag in common.model.data.relation_tags
    return common.names.number("component", tag) if asked else NONE


def _despawns(link: Link) -> list[str]:
    """Returns what happens to its links when an entity is despawned, for comments."""
    if link.ends.source == link.ends.target == "remove":
        return ["When an entity is despawned, its links are removed."]
    ends = (("from", "to", link.ends.source), ("to", "from", link.ends.target))
    fates = [
        f"despawning `{one}` despawns `{other}`" for one, other, fate in ends if fate != "remove"
    ]
    return [f"When an entity is despawned, its links are removed; {' and '.join(fates)} too."]


def _words(link: Link, size: int) -> str:
    words = ["bare" if link.is_bare else text.count_of(size, "byte")]
    words += ["symmetric"] if link.symmetric else []
    ends = (("from", "to", link.ends.source), ("to", "from", link.ends.target))
    words += [
        f"a despawn of `{one}` despawns `{other}`" for one, other, fate in ends if fate == "despawn"
    ]
    words += [", ".join(hook.words for hook in link.hooks)] if link.hooks else []
    return "; ".join(words)
