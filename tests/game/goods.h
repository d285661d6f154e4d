// These numbers hold for all goods. GOODS_KINDS is the length of every array in the schema with one
// number for each of them.
#ifndef GOODS_H
#define GOODS_H

#include "colony_goods.h"
#include "colony_stock.h"

enum { GOODS_KINDS = COLONY_GOODS_COUNT };
enum {
    LOAD_EXPECTED = 2
}; // pieces that a villager who sets out to gather will bring, as far as the ledger cares

WEFT_STATIC_ASSERT(sizeof((colony_stock *)0)->amount == GOODS_KINDS * sizeof(uint32_t),
                   "component stock has one amount for each of the goods");

#endif
