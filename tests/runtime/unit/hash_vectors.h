// The hashes that test_hash.c and ../world/test_hashes.c expect of their worlds.
// test_hash_vectors.py computes these numbers from the definition in save/hash.h, without the
// runtime, and compares.
#ifndef HASH_VECTORS_H
#define HASH_VECTORS_H

#define HASH_EMPTY_STATE UINT64_C(0x23043430189210ba)
#define HASH_EMPTY_EXACT UINT64_C(0xf7c641743ccad09b)
#define HASH_SCENE_STATE UINT64_C(0x07b60cef9468fcbf)
#define HASH_SCENE_EXACT UINT64_C(0xde4e79c6224aa109)
#define HASH_TINY_STATE UINT64_C(0xdec093482190e329)
#define HASH_TINY_EXACT UINT64_C(0xc7ec7f65253b475d)
#define HASH_TREE_STATE UINT64_C(0x2c558acb3271df6e)
#define HASH_POST_STATE UINT64_C(0xb5de33d3a95ad4f2)

#endif
