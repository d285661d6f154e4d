// Values of fields.
#ifndef WEFT_JSON_VALUES_H
#define WEFT_JSON_VALUES_H

#include "reader.h"

// Reads an object with some of these fields into a plain struct; the others stay. The struct may be
// half written where it fails.
bool weft_json_struct(weft_json_reader *in, const weft_field *fields, uint32_t count, void *value);

#endif
