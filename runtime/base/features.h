// Features: what the runtime asks the system's headers to declare. It is included before them.
#ifndef WEFT_FEATURES_H
#define WEFT_FEATURES_H

#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // reserved address space, recursive mutexes, locks of files
#endif
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // pages that are moved
#endif

#endif
