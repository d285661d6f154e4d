// The inspector as one file, for a game that calls weft_serve.h or weft_inspector.h. It includes
// its parts from the lowest to the highest, and the page, which bundle.py makes from page/. With
// -DWEFT_NO_SOCKETS it contains only weft_inspector.h, and does not need libwebsockets.

#ifdef WEFT_UNOBSERVED
#error "the inspector observes a world: build without -DWEFT_UNOBSERVED"
#endif

// clang-format off
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for libwebsockets.h
#endif

#include "text.c"
#include "release.c"
#include "rpc.c"
#include "params.c"
#include "parts.c"
#include "schema.c"
#include "valued.c"
#include "aggregate.c"
#include "series.c"
#include "state.c"
#include "walk.c"
#include "sorting.c"
#include "collecting.c"
#include "list.c"
#include "referring.c"
#include "referrers.c"
#include "value.c"
#include "names.c"
#include "entities.c"
#include "tree.c"
#include "map.c"
#include "events.c"
#include "filter.c"
#include "changes.c"
#include "writers.c"
#include "sums.c"
#include "gone.c"
#include "timeline.c"
#include "taken.c"
#include "returning.c"
#include "definitions.c"
#include "sources.c"
#include "undo.c"
#include "edit.c"
#include "bulk.c"
#include "spawn.c"
#include "answer.c"
#include "inspector.c"
#ifndef WEFT_NO_SOCKETS
#include "page.c"
#include "pass.c"
#include "token.c"
#include "folder.c"
#include "linger.c"
#include "door.c"
#include "serve.c"
#endif
