// The tree of a relation: windows of the children of an entity, and its ancestors.
#ifndef WEFT_SERVE_TREE_H
#define WEFT_SERVE_TREE_H

#include "rpc.h"

#define SERVE_BRANCH_MAX 500u     // children in an answer
#define SERVE_COUNTED_MAX 65536u  // children of an entity that are counted
#define SERVE_ANCESTORS_MAX 1000u // in an answer

serve_method serve_children, serve_ancestors;

#endif
