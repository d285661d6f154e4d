// The values of fields in a text that is read.
#ifndef WEFT_READ_VALUES_H
#define WEFT_READ_VALUES_H

#include "text.h"

// Reads an object with some of these fields into a plain struct; the others stay.
void weft_json_fields_read(weft_json_reader *in, const weft_field *fields, uint32_t count,
                           void *value);

#endif
