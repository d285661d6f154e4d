// Changes the handles inside copied values.
#ifndef WEFT_COPY_VALUES_H
#define WEFT_COPY_VALUES_H

#include "copying.h"

// Changes the handles in the rows of a group.
void weft_copy_values(weft_copying *c, const weft_copy_group *group);

// Changes the handles in the plain struct of a component.
void weft_copy_value(weft_copying *c, uint32_t component, void *value);

// Changes the handles in the plain struct of a link.
void weft_copy_link_value(weft_copying *c, uint32_t link, void *value);

#endif
