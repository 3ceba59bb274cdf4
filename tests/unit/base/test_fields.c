/* fields: members by a table. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/fields.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

enum colour { RED, GREEN, BLUE };

struct place {
    uint32_t url;
    double worth;
};

struct all {
    uint8_t small[2];
    bool first, second, third, flag;
    enum colour colour;
    uint32_t number;
    size_t count;
    int64_t time;
    float near, wide;
    double any;
    struct place place;
};

static const struct field place_fields[] = {
    FIELD(URL, struct place, url),
    FIELD(REAL, struct place, worth),
    FIELD_END,
};

static const struct field all_fields[] = {
    FIELD(U8, struct all, small),
    FIELD(BIT, struct all, first),
    FIELD(BIT, struct all, second),
    FIELD(BIT, struct all, third),
    FIELD(FLAG, struct all, flag),
    FIELD_OF_ENUM(struct all, colour, BLUE),
    FIELD(U32, struct all, number),
    FIELD(COUNT, struct all, count),
    FIELD(U64, struct all, time),
    FIELD(F32, struct all, near),
    FIELD(WIDE, struct all, wide),
    FIELD(F64, struct all, any),
    FIELD_OF_PART(struct all, place, place_fields),
    FIELD_END,
};

static const struct all made = {.small = {7, 8},
                                .first = true,
                                .third = true,
                                .flag = true,
                                .colour = BLUE,
                                .number = 0x01020304,
                                .count = 5,
                                .time = -2,
                                .near = 1,
                                .wide = -2,
                                .any = (double)INFINITY,
                                .place = {9, .5}};

/* 1 = 3f800000, -2 = c000000000000000, infinity = 7ff0000000000000, .5 = 3fe0000000000000 */
static const unsigned char written[] = {
    7,    8,    1 | 4,                             /* small, the three bits */
    1,    2,    4,     3,    2,   1,               /* flag, colour, number */
    5,    0,    0,     0,                          /* count */
    0xfe, 0xff, 0xff,  255,  255, 255, 255,  255,  /* time */
    0,    0,    0x80,  0x3f,                       /* near */
    0,    0,    0,     0,    0,   0,   0,    0xc0, /* wide */
    0,    0,    0,     0,    0,   0,   0xf0, 0x7f, /* any */
    9,    0,    0,     0,                          /* url */
    0,    0,    0,     0,    0,   0,   0xe0, 0x3f, /* worth */
};

static void what_is_written_is_as_buf_writes_it(void **state)
{
    struct buf out = BUF_INIT(1000);

    (void)state;
    fields_save(all_fields, &made, &out);
    assert_int_equal(out.len, sizeof written);
    assert_memory_equal(out.data, written, sizeof written);
    buf_clear(&out);
    fields_save_all(place_fields, (struct place[]){{1, 1}, {2, 2}}, 2, sizeof(struct place), &out);
    assert_int_equal(out.len, 4 + 2 * 12);
    buf_free(&out);
}

static bool load(const void *data, size_t len, struct all *ret)
{
    struct cursor from = {.rest = {data, len}, .most = 9};

    *ret = (struct all){0};
    fields_load(all_fields, ret, &from);
    return !from.bad && from.rest.len == 0;
}

static void what_is_read_is_what_was_written(void **state)
{
    struct all got;

    (void)state;
    assert_true(load(written, sizeof written, &got));
    assert_true(got.small[1] == 8 && got.first && !got.second && got.third && got.flag);
    assert_true(got.colour == BLUE && got.number == 0x01020304 && got.count == 5);
    assert_true(got.time == -2 && got.near == 1.F && got.wide == -2.F && isinf(got.any));
    assert_true(got.place.url == 9 && got.place.worth == .5);
}

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        size_t at;
        unsigned char bytes[2];
    } damage[] = {
        {4, {BLUE + 1, 4}},                 /* no such colour */
        {sizeof written - 12, {10, 0}},     /* a URL larger than the largest */
        {sizeof written - 2, {0xf0, 0x7f}}, /* an infinite worth */
    };
    unsigned char bytes[sizeof written];
    struct all got;

    (void)state;
    for (size_t len = 0; len < sizeof written; len++)
        assert_false(load(written, len, &got));
    for (size_t i = 0; i < ARRAY_LEN(damage); i++) {
        memcpy(bytes, written, sizeof bytes);
        memcpy(bytes + damage[i].at, damage[i].bytes, 2);
        assert_false(load(bytes, sizeof bytes, &got));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_as_buf_writes_it),
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(what_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
