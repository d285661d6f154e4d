// The features that the system's headers must declare. Include this file before any of them.
#ifndef WEFT_FEATURES_H
#define WEFT_FEATURES_H

#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // reserved address space, recursive mutexes, file locks
#endif
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // mremap
#endif

#endif
