/* fields.h - saves plain members of a struct to a checkpoint and loads them, by one table.
 *
 * The table names the members in the order in which they are written, each as buf.h
 * would write it, so that save and load cannot disagree:
 *
 *     static const struct field step_fields[] = {
 *         FIELD(URL, struct step, url),
 *         FIELD(REAL, struct step, profit),
 *         FIELD(BIT, struct step, learned),
 *         FIELD(BIT, struct step, revisited),
 *         FIELD_END,
 *     };
 *
 * If a member is an array, all its values are written.
 */
#pragma once

#include "base/buf.h"

#include <stddef.h>

enum field_type {
    FIELD_NONE,  /* the end of a table */
    FIELD_U8,    /* uint8_t */
    FIELD_FLAG,  /* bool, a byte */
    FIELD_BIT,   /* bool; up to eight in a row share a byte, the first in its lowest bit */
    FIELD_ENUM,  /* an enum, a byte; not larger than `most` */
    FIELD_U32,   /* uint32_t */
    FIELD_URL,   /* uint32_t, read by cursor_number() */
    FIELD_COUNT, /* size_t, four bytes */
    FIELD_U64,   /* uint64_t, int64_t, size_t */
    FIELD_F32,   /* float */
    FIELD_FINE,  /* float; if it is not finite, the file is damaged */
    FIELD_WIDE,  /* float, eight bytes */
    FIELD_F64,   /* double */
    FIELD_REAL,  /* double; if it is not finite, the file is damaged */
    FIELD_PART,  /* a struct with a table of its own */
};

struct field {
    enum field_type type;
    size_t offset, size;      /* of the member */
    uint32_t most;            /* FIELD_ENUM */
    const struct field *part; /* FIELD_PART */
};

#define FIELD_AT(where, member) offsetof(where, member), sizeof(((where *)0)->member)

#define FIELD(type, where, member)                     \
    {                                                  \
        FIELD_##type, FIELD_AT(where, member), 0, NULL \
    }
/* Only the first `n` values of an array: for states written when it was shorter. */
#define FIELD_FIRST(type, where, member, n)                                                   \
    {                                                                                         \
        FIELD_##type, offsetof(where, member), (n) * sizeof(((where *)0)->member[0]), 0, NULL \
    }
#define FIELD_OF_ENUM(where, member, largest)              \
    {                                                      \
        FIELD_ENUM, FIELD_AT(where, member), largest, NULL \
    }
#define FIELD_OF_PART(where, member, table)           \
    {                                                 \
        FIELD_PART, FIELD_AT(where, member), 0, table \
    }
#define FIELD_END                 \
    {                             \
        FIELD_NONE, 0, 0, 0, NULL \
    }

void fields_save(const struct field *table, const void *from, struct buf *out);

/* An impossible value makes the cursor bad; all values after it are 0. */
void fields_load(const struct field *table, void *to, struct cursor *from);

/* Writes their number in four bytes, then `count` structs of `size` bytes each. */
void fields_save_all(const struct field *table, const void *items, size_t count, size_t size,
                     struct buf *out);
