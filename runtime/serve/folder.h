// Reads folders and files, for the sources of a game. Only a server does this: an inspector without
// one reads no files.
#ifndef WEFT_SERVE_FOLDER_H
#define WEFT_SERVE_FOLDER_H

#include "rpc.h"

#define SERVE_FOLDER_DEPTH_MAX 16u      // nested folders
#define SERVE_FOLDER_ENTRIES_MAX 65536u // looked at in one folder and all below it

extern const serve_files serve_folder_files;

#endif
