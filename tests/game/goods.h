// Goods that are carried.
#ifndef GOODS_H
#define GOODS_H

#include "colony_goods.h"

enum {
    LOAD_EXPECTED = 2
}; // pieces that a villager who sets out to gather will bring, as far as the ledger cares

#endif
