// The size of a load.
#ifndef GOODS_H
#define GOODS_H

#include "colony_goods.h"

enum { LOAD_EXPECTED = 2 }; // pieces; the ledger's estimate for a villager who sets out to gather

#endif
