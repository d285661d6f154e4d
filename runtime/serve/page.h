// The page, joined to one file by page/bundle.py.
#ifndef WEFT_SERVE_PAGE_H
#define WEFT_SERVE_PAGE_H

#include <stddef.h>

extern const unsigned char serve_page[];
extern const size_t serve_page_bytes;
extern const char serve_page_policy[]; // its Content-Security-Policy, with its script's hash

#endif
