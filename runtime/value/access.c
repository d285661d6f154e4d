// Writes leaves with checks. Finding a leaf gives a reference for reading only.
#include "access.h"

#include "numbers.h"

#include <inttypes.h>

bool weft_value_has_type(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                         size_t bytes, char why[WEFT_WHY_BYTES])
{
    bool same = type == leaf->type;
    if (leaf->type == WEFT_TYPE_EXTERN) same = type == WEFT_TYPE_STRUCT;
    if (leaf->type == WEFT_TYPE_BOOL) same = same || type == WEFT_TYPE_U8;
    if (leaf->type == WEFT_TYPE_ENUM) same = same || type == schema->enums[leaf->field->of].type;
    size_t wanted = leaf->type == WEFT_TYPE_ENTITY ? sizeof(uint64_t) : leaf->bytes;
    return (same && bytes == wanted) ||
           weft_value_refuse(why, "is %s of %zu bytes, not %s of %zu", weft_type_name(leaf->type),
                             wanted, weft_type_name(type), bytes);
}

static void *writable(const weft_leaf_ref *leaf)
{
    return (void *)(uintptr_t)leaf->value;
}

// New list items are zeroed because their bytes were never initialised.
static void clear_items(const weft_leaf_ref *leaf, uint32_t count)
{
    const weft_field *field = leaf->field;
    unsigned char *member = (unsigned char *)writable(leaf);
    uint32_t old = weft_member_count(field, member);
    if (count <= old) return;
    memset(member + field->items_offset + (size_t)old * field->element_size, 0,
           (size_t)(count - old) * field->element_size);
}

bool weft_value_write_number(const weft_schema *schema, const weft_leaf_ref *leaf,
                             weft_number number, char why[WEFT_WHY_BYTES])
{
    if (!weft_number_check(schema, leaf, number, WEFT_ALL_LIMITS, why)) return false;
    if (leaf->is_count) clear_items(leaf, (uint32_t)number.u64);
    weft_number_store(weft_kind_of(leaf->type), writable(leaf), leaf->bytes, number);
    return true;
}

bool weft_value_write_handle(const weft_schema *schema, const weft_leaf_ref *leaf, uint64_t bits,
                             char why[WEFT_WHY_BYTES])
{
    if (!weft_handle_check(schema, bits, why)) return false;
    weft_handle_write(schema, writable(leaf), bits);
    return true;
}

static bool refuse_type(const weft_leaf_ref *leaf, char *why)
{
    return weft_value_refuse(why, "is %s, not a string or enum", weft_type_name(leaf->type));
}

bool weft_value_read_text(const weft_schema *schema, const weft_leaf_ref *leaf, char *text,
                          size_t bytes, char why[WEFT_WHY_BYTES])
{
    const char *from = (const char *)leaf->value;
    size_t length = 0;
    if (leaf->type == WEFT_TYPE_CHAR) {
        length = weft_string_bytes(leaf->field, leaf->value);
    } else if (leaf->type == WEFT_TYPE_ENUM) {
        weft_number number = weft_number_load(WEFT_UNSIGNED, leaf->value, leaf->bytes);
        if (!weft_number_check(schema, leaf, number, WEFT_ALL_LIMITS, why)) return false;
        from = schema->enums[leaf->field->of].values[number.u64];
        length = strlen(from);
    } else {
        return refuse_type(leaf, why);
    }
    if (length >= bytes) {
        return weft_value_refuse(why, "needs %zu bytes, there are %zu", length + 1, bytes);
    }
    memcpy(text, from, length);
    text[length] = '\0';
    return true;
}

static bool write_enum(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                       char *why)
{
    weft_names values = weft_value_names(&schema->enums[leaf->field->of]);
    uint32_t value = weft_names_find(&values, text, strlen(text));
    if (value == WEFT_NO_NAME) return weft_name_refuse(why, &values, 1, text, strlen(text));
    weft_bits_write(writable(leaf), leaf->bytes, value);
    return true;
}

// The bytes after the NUL become zeros, so that equal strings have equal bytes.
bool weft_value_write_text(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                           size_t bytes, char why[WEFT_WHY_BYTES])
{
    const char *end = (const char *)memchr(text, '\0', bytes);
    if (!end) return weft_value_refuse(why, "has no NUL in its %zu bytes: end it with one", bytes);
    if (leaf->type == WEFT_TYPE_ENUM) return write_enum(schema, leaf, text, why);
    if (leaf->type != WEFT_TYPE_CHAR) return refuse_type(leaf, why);
    size_t length = (size_t)(end - text);
    if (length >= leaf->bytes)
        return weft_value_refuse(why, WEFT_TOO_LONG, length, leaf->bytes - 1);
    char *to = (char *)writable(leaf);
    memmove(to, text, length);
    memset(to + length, 0, leaf->bytes - length);
    return true;
}
