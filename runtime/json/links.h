// Reads the links of a world, or of a single entity.
//
//     world      "links": { "owes": [{"from": "12:3", "to": "7:1", "value": {"gold": 3}}] }
//     entity     "links": { "owes": [{"to": "7:1", "value": {"gold": 3}}, {"from": "9:1"}] }
//
// A link of an entity names only its other end.
#ifndef WEFT_JSON_LINKS_H
#define WEFT_JSON_LINKS_H

#include "values.h"

// Reads all kinds of links. Their values need space in `in->values`.
//   - JUDGE: checks the form and all values.
//   - LINK: checks that both ends exist, and that no link occurs twice. For a single entity, it also
//     adds the new links without any consequence, so that DO needs no memory.
//   - DO: adds the links of a world; for an entity, writes the values.
void weft_json_links(weft_json_reader *in);

// After LINK and DO for a single entity: writes the bits of the rows of the new links, and calls
// on_add. If the text was refused, removes the new links again.
void weft_json_links_end(weft_json_reader *in);

#endif
