// Test files are compiled as sealed, which must fail, and as granted, which must not. These macros
// differ between the two.
#ifndef SEALED_H
#define SEALED_H

#include "seal.h"

#ifdef GRANTED
#define READ_ONLY
#define IF_GRANTED(...) __VA_ARGS__
#define VERB(get, edit) edit
typedef seal_speed_columns speed_columns;
#else
#define READ_ONLY const
#define IF_GRANTED(...)
#define VERB(get, edit) get
typedef seal_speed_const_columns speed_columns;
#endif

#endif
