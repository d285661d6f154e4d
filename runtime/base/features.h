// What the runtime asks of the system's headers. It is included before any of them.
#ifndef WEFT_FEATURES_H
#define WEFT_FEATURES_H

#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // reserved address space, locks that may be taken again, locks of files
#endif

#endif
