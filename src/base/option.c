/* option.c - options as a table. SPDX-License-Identifier: MIT */
#include "base/option.h"

#include "base/mem.h"
#include "base/units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static bool same_name(struct str a, const char *b)
{
    if (a.len != strlen(b))
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (a.ptr[i] != b[i] && !(a.ptr[i] == '_' && b[i] == '-') &&
            !(a.ptr[i] == '-' && b[i] == '_'))
            return false;
    return true;
}

const struct option *option_find(const struct option *table, struct str name)
{
    for (; table && table->name; table++)
        if (same_name(name, table->name))
            return table;
    return NULL;
}

static enum status refuse(const struct option *o, struct str value)
{
    struct buf range = BUF_INIT(400);

    option_range(o, &range);
    if (o->type == OPTION_CHOICE)
        (void)status_fail(ST_USAGE, "%s: '%.*s' will not do: write %s", o->name, STR_ARG(value),
                          range.data);
    else
        (void)status_fail(ST_USAGE, "%s: '%.*s' will not do: write %s%s%s", o->name, STR_ARG(value),
                          option_type_name(o->type), range.len ? ", " : "",
                          range.len ? range.data : "");
    buf_free(&range);
    return ST_USAGE;
}

static bool in_range(const struct option *o, double v)
{
    return (o->min == 0 && o->max == 0) || (v >= o->min && v <= o->max);
}

static enum status set_flag(const struct option *o, bool *into, struct str v)
{
    static const char *const yes[] = {"", "yes", "true", "on", "1"};
    static const char *const no[] = {"no", "false", "off", "0"};

    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        if (str_eq_i(v, str_of(yes[i])))
            return *into = true, ST_OK;
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        if (str_eq_i(v, str_of(no[i])))
            return *into = false, ST_OK;
    return refuse(o, v);
}

static enum status set_int(const struct option *o, int64_t *into, struct str v)
{
    bool negative = v.len > 0 && v.ptr[0] == '-';
    uint64_t n;

    if (!str_to_u64(str_sub(v, negative, v.len), &n) || n > INT64_MAX)
        return refuse(o, v);
    if (!in_range(o, negative ? -(double)n : (double)n))
        return refuse(o, v);
    *into = negative ? -(int64_t)n : (int64_t)n;
    return ST_OK;
}

static enum status set_u32(const struct option *o, uint32_t *into, struct str v)
{
    int64_t n;
    enum status st = set_int(o, &n, v);

    if (st == ST_OK && (n < 0 || n > UINT32_MAX))
        return refuse(o, v);
    if (st == ST_OK)
        *into = (uint32_t)n;
    return st;
}

static enum status set_real(const struct option *o, double *into, struct str v)
{
    double d;

    if (!str_to_double(v, &d) || !in_range(o, d))
        return refuse(o, v);
    *into = d;
    return ST_OK;
}

static enum status set_text(const struct option *o, char **into, struct str v)
{
    (void)o;
    free(*into);
    *into = str_dup(v);
    return ST_OK;
}

static enum status set_duration(const struct option *o, int64_t *into, struct str v)
{
    int64_t us;
    double bare;

    if (units_duration(v, &us) != ST_OK)
        return status_prefix(ST_USAGE, "%s", o->name);
    if (str_to_double(str_trim(v), &bare) && us != 0) /* seconds for some, ms for others */
        return status_fail(ST_USAGE, "%s: '%.*s' has no unit: write %.*ss, %.*sms or %.*sm",
                           o->name, STR_ARG(v), STR_ARG(v), STR_ARG(v), STR_ARG(v));
    if (!in_range(o, (double)us / 1e6))
        return refuse(o, v);
    *into = us;
    return ST_OK;
}

static enum status set_size(const struct option *o, uint64_t *into, struct str v)
{
    uint64_t bytes;

    if (units_size(v, &bytes) != ST_OK)
        return status_prefix(ST_USAGE, "%s", o->name);
    if (!in_range(o, (double)bytes))
        return refuse(o, v);
    *into = bytes;
    return ST_OK;
}

static enum status set_choice(const struct option *o, int *into, struct str v)
{
    struct str rest = str_of(o->choices), one;

    for (int i = 0; str_cut(&rest, '|', &one); i++)
        if (str_eq(one, v))
            return *into = i, ST_OK;
    return refuse(o, v);
}

enum status option_set(const struct option *o, void *into, struct str value)
{
    void *field = (char *)into + o->offset;

    switch (o->type) {
    case OPTION_FLAG:
        return set_flag(o, field, value);
    case OPTION_INT:
        return set_int(o, field, value);
    case OPTION_U32:
        return set_u32(o, field, value);
    case OPTION_REAL:
        return set_real(o, field, value);
    case OPTION_TEXT:
        return set_text(o, field, value);
    case OPTION_DURATION:
        return set_duration(o, field, value);
    case OPTION_SIZE:
        return set_size(o, field, value);
    case OPTION_CHOICE:
        return set_choice(o, field, value);
    case OPTION_LIST:
        text_list_add(field, value);
        return ST_OK;
    }
    return ST_INTERNAL;
}

void options_init(const struct option *table, void *into)
{
    for (; table && table->name; table++) {
        enum status st = ST_OK;

        if (table->fallback)
            st = option_set(table, into, str_of(table->fallback));
        assert(st == ST_OK); /* a default outside its own limits is our mistake */
        (void)st;
    }
}

void options_free(const struct option *table, void *into)
{
    for (; table && table->name; table++) {
        char *field = (char *)into + table->offset;

        if (table->type == OPTION_TEXT) {
            free(*(char **)field);
            *(char **)field = NULL;
        } else if (table->type == OPTION_LIST) {
            text_list_free((struct text_list *)field);
        }
    }
}

static void show_choice(const struct option *o, int at, struct buf *out)
{
    struct str rest = str_of(o->choices), one;

    for (int i = 0; str_cut(&rest, '|', &one); i++)
        if (i == at)
            buf_add_str(out, one);
}

/* Shows the duration in the largest unit that makes it a whole number, so that it
 * reads back exactly. */
static void show_duration(int64_t us, struct buf *out)
{
    if (us % 1000 != 0)
        buf_addf(out, "%lldus", (long long)us);
    else if (us % 1000000 != 0)
        buf_addf(out, "%lldms", (long long)us / 1000);
    else
        buf_addf(out, "%llds", (long long)us / 1000000);
}

static void show_list(const struct text_list *l, struct buf *out)
{
    for (size_t i = 0; i < l->count; i++)
        buf_addf(out, "%s%s", i ? ", " : "", l->items[i]);
}

void option_show(const struct option *o, const void *from, struct buf *out)
{
    const void *field = (const char *)from + o->offset;

    switch (o->type) {
    case OPTION_FLAG:
        buf_add_z(out, *(const bool *)field ? "yes" : "no");
        break;
    case OPTION_INT:
        buf_addf(out, "%lld", (long long)*(const int64_t *)field);
        break;
    case OPTION_U32:
        buf_addf(out, "%u", *(const uint32_t *)field);
        break;
    case OPTION_REAL:
        buf_addf(out, "%.15g", *(const double *)field);
        break;
    case OPTION_TEXT:
        buf_add_z(out, *(char *const *)field ? *(char *const *)field : "");
        break;
    case OPTION_DURATION:
        show_duration(*(const int64_t *)field, out);
        break;
    case OPTION_SIZE:
        buf_addf(out, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case OPTION_CHOICE:
        show_choice(o, *(const int *)field, out);
        break;
    case OPTION_LIST:
        show_list(field, out);
        break;
    }
}

/* Shows a limit of a number; seconds in the largest unit that makes them whole. */
static void show_limit(const struct option *o, double v, struct buf *out)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "m"}};

    if (o->type != OPTION_DURATION) {
        buf_addf(out, "%.15g", v);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (v >= units[i].seconds && fmod(v, units[i].seconds) == 0) {
            buf_addf(out, "%.15g%s", v / units[i].seconds, units[i].name);
            return;
        }
    buf_addf(out, "%.15gs", v);
}

void option_range(const struct option *o, struct buf *out)
{
    struct str rest, one;

    if (o->type == OPTION_CHOICE) {
        rest = str_of(o->choices);
        for (bool first = true; str_cut(&rest, '|', &one); first = false)
            buf_addf(out, "%s%.*s", first ? "" : rest.len ? ", " : " or ", STR_ARG(one));
    } else if (o->min != 0 || o->max != 0) {
        show_limit(o, o->min, out);
        buf_add_z(out, o->max >= 1e15 ? " or more" : " to ");
        if (o->max < 1e15)
            show_limit(o, o->max, out);
    }
}

const char *option_type_name(enum option_type type)
{
    static const char *const names[] = {
        [OPTION_FLAG] = "yes or no",     [OPTION_INT] = "a whole number",
        [OPTION_U32] = "a whole number", [OPTION_REAL] = "a number",
        [OPTION_TEXT] = "a text",        [OPTION_DURATION] = "a duration",
        [OPTION_SIZE] = "a size",        [OPTION_CHOICE] = "one of these",
        [OPTION_LIST] = "a text",
    };

    return names[type];
}

void text_list_add(struct text_list *l, struct str text)
{
    MEM_GROW(l->items, l->count + 1, &l->cap);
    l->items[l->count++] = str_dup(text);
    l->items[l->count] = NULL;
}

void text_list_free(struct text_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    free(l->items);
    *l = (struct text_list){0};
}
