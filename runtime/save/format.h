// The outermost shape of a save, which SAVES.md describes byte by byte.
#ifndef WEFT_SAVE_FORMAT_H
#define WEFT_SAVE_FORMAT_H

#include "bytes.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_SAVE_MAGIC 0x4556415354464557u // "WEFTSAVE"
#define WEFT_SAVE_VERSION 1u
#define WEFT_SAVE_HEAD_BYTES (4 * WEFT_WORD_BYTES) // magic, version, bytes of the save, checksum

#define WEFT_SECTION_SCHEMA WEFT_SECTION('S', 'C', 'H', 'M')
#define WEFT_SECTION_ENTITIES WEFT_SECTION('E', 'N', 'T', 'S')
#define WEFT_SECTION_TABLE WEFT_SECTION('T', 'A', 'B', 'L')
#define WEFT_SECTION_SPARSE WEFT_SECTION('S', 'P', 'R', 'S')
#define WEFT_SECTION_SINGLETON WEFT_SECTION('S', 'I', 'N', 'G')
#define WEFT_SECTION_CLOCKS WEFT_SECTION('C', 'L', 'K', 'S')
#define WEFT_SECTION_CHANGE_BITS WEFT_SECTION('M', 'R', 'K', 'S')
#define WEFT_SECTION_EVENT WEFT_SECTION('E', 'V', 'N', 'T')
#define WEFT_SECTION_RELATION WEFT_SECTION('R', 'E', 'L', 'A')
#define WEFT_SECTION_REMOVED WEFT_SECTION('R', 'M', 'V', 'D')
#define WEFT_SECTION_END WEFT_SECTION('E', 'N', 'D', ' ')

WEFT_EXTERN_C_END

#endif
