// The lines of the game's sources that define its systems and declarations, for links of a page to
// an editor. The sources are read once, in slices, from the first request on. No text of a file is
// ever sent.
#ifndef WEFT_SERVE_SOURCES_H
#define WEFT_SERVE_SOURCES_H

#include "rpc.h"

#define SERVE_SOURCE_FILES_MAX 4096u              // that are read
#define SERVE_SOURCE_FILE_MAX ((size_t)1 << 20)   // bytes of a file
#define SERVE_SOURCE_BYTES_MAX ((size_t)64 << 20) // of all files
#define SERVE_SOURCE_PLACES_MAX 8192u             // definitions and declarations
#define SERVE_SOURCE_FOLDERS_MAX 8u               // in the option `source`
#define SERVE_SOURCE_PATH_MAX 1024u               // bytes of a path, with its NUL
#define SERVE_SOURCE_SECONDS 0.005                // of reading in a request

serve_method serve_sources;

void serve_sources_close(serve_state *state);

#endif
