/* value.c - YAML as a tree, and the values of a plan: texts, numbers, quantities,
 * options by table.
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/yaml_each.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- YAML as a tree ------------------------------------------------------ */

struct tree_builder {
    const char *name;
    struct tree *open[LIMIT_PLAN_NESTING]; /* the innermost last */
    size_t depth;
    char *key; /* of the innermost mapping: its value is next; owned */
    unsigned key_line;
    struct tree *root;
    bool ended; /* the first document is complete */
};

static enum status wrong(const struct tree_builder *b, unsigned line, const char *what)
{
    return status_fail(ST_USAGE, "%s:%u: %s", b->name, line, what);
}

static bool in_map(const struct tree_builder *b)
{
    return b->depth > 0 && b->open[b->depth - 1]->kind == TREE_MAP;
}

const struct tree *tree_get(const struct tree *map, const char *key)
{
    for (size_t i = 0; map && map->kind == TREE_MAP && i < map->count; i++)
        if (strcmp(map->items[i]->key, key) == 0)
            return map->items[i];
    return NULL;
}

static enum status take_key(struct tree_builder *b, const yaml_event_t *e, struct str text)
{
    const struct tree *same;

    if (b->open[b->depth - 1]->count == LIMIT_PLAN_ITEMS)
        return wrong(b, yaml_line(e), "too many entries");
    b->key = str_dup(text);
    b->key_line = yaml_line(e);
    same = tree_get(b->open[b->depth - 1], b->key);
    if (same)
        return status_fail(ST_USAGE, "%s:%u: '%s' is given twice (first in line %u)", b->name,
                           yaml_line(e), b->key, same->key_line);
    return ST_OK;
}

/* A new node in its place; it belongs to the tree from here on. */
static struct tree *put(struct tree_builder *b, const yaml_event_t *e, enum tree_kind kind)
{
    struct tree *t = MEM_NEW(struct tree), *parent;

    t->kind = kind;
    t->line = yaml_line(e);
    t->key = b->key;
    t->key_line = b->key_line;
    b->key = NULL;
    if (b->depth == 0) { /* the document itself */
        b->root = t;
        return t;
    }
    parent = b->open[b->depth - 1];
    MEM_GROW(parent->items, parent->count, &parent->cap);
    parent->items[parent->count++] = t;
    return t;
}

static enum status on_scalar(struct tree_builder *b, const yaml_event_t *e)
{
    struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};

    if (memchr(text.ptr, '\0', text.len))
        return wrong(b, yaml_line(e), "a text must not contain NUL");
    if (in_map(b) && b->key == NULL)
        return take_key(b, e, text);
    put(b, e, TREE_TEXT)->text = str_dup(text);
    return ST_OK;
}

static enum status on_open(struct tree_builder *b, const yaml_event_t *e, enum tree_kind kind)
{
    if (in_map(b) && b->key == NULL)
        return wrong(b, yaml_line(e), "a key must be a word");
    if (b->depth == LIMIT_PLAN_NESTING)
        return wrong(b, yaml_line(e), "nested too deep");
    b->open[b->depth] = put(b, e, kind);
    b->depth++;
    return ST_OK;
}

static enum status on_event(void *ctx, const yaml_event_t *e)
{
    struct tree_builder *b = ctx;

    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return b->ended ? wrong(b, yaml_line(e), "a second document: a plan is one") : ST_OK;
    case YAML_DOCUMENT_END_EVENT:
        b->ended = true;
        return ST_OK;
    case YAML_SCALAR_EVENT:
        return on_scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        return on_open(b, e, TREE_LIST);
    case YAML_MAPPING_START_EVENT:
        return on_open(b, e, TREE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return ST_OK;
    case YAML_ALIAS_EVENT:
        return wrong(b, yaml_line(e), "aliases are not supported: write it out");
    default:
        return ST_OK;
    }
}

enum status tree_parse(struct str text, const char *name, struct tree **ret)
{
    struct tree_builder b = {.name = name};
    enum status st = yaml_each(text, name, on_event, &b);

    free(b.key);
    if (st == ST_OK && b.root == NULL) {
        b.root = MEM_NEW(struct tree);
        b.root->kind = TREE_MAP;
        b.root->line = 1;
    }
    if (st == ST_OK)
        *ret = b.root;
    else
        tree_free(b.root);
    return st;
}

void tree_free(struct tree *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->count; i++)
        tree_free(t->items[i]);
    free(t->items);
    free(t->text);
    free(t->key);
    free(t);
}

/* ---- values -------------------------------------------------------------- */

enum status plan_wrong(const struct plan_reader *r, unsigned line, const char *fmt, ...)
{
    char text[1500];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return status_fail(ST_USAGE, "%s:%u: %s", r->file, line, text);
}

/* "key: " where it has one. */
static const char *key_of(const struct tree *t)
{
    return t->key ? t->key : "";
}

enum status plan_expect(const struct plan_reader *r, const struct tree *t, enum tree_kind kind,
                        const char *what, const char *example)
{
    if (t->kind == kind)
        return ST_OK;
    return plan_wrong(r, t->line, "%s%s%s is wanted here; write %s", key_of(t), t->key ? ": " : "",
                      what, example);
}

static enum status unknown(const struct plan_reader *r, const struct tree *t, const char *what,
                           struct buf *names)
{
    enum status st = plan_wrong(r, t->key_line, "%s has no '%s'; there are: %.*s", what, t->key,
                                STR_ARG(buf_str(names)));

    buf_free(names);
    return st;
}

static enum status read_key(struct plan_reader *r, const struct tree *t,
                            const struct plan_key *keys, const char *what, void *into)
{
    struct buf names = BUF_INIT(1000);

    for (size_t k = 0; keys[k].name; k++)
        if (strcmp(keys[k].name, t->key) == 0)
            return keys[k].read(r, t, (char *)into + keys[k].at);
    for (size_t k = 0; keys[k].name; k++)
        buf_addf(&names, "%s%s", k ? ", " : "", keys[k].name);
    return unknown(r, t, what, &names);
}

enum status plan_map(struct plan_reader *r, const struct tree *t, const struct plan_key *keys,
                     const char *what, void *into)
{
    for (size_t i = 0; i < t->count; i++)
        TRY(read_key(r, t->items[i], keys, what, into));
    return ST_OK;
}

enum status plan_option(struct plan_reader *r, const struct tree *t, const struct option *o,
                        void *into)
{
    TRY(plan_expect(r, t, TREE_TEXT, "one value", o->fallback ? o->fallback : "it"));
    if (option_set(o, into, str_of(t->text)) != ST_OK)
        return status_prefix(ST_USAGE, "%s:%u", r->file, t->line);
    return ST_OK;
}

enum status plan_options(struct plan_reader *r, const struct tree *t, const struct option *table,
                         const char *what, void *into)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < t->count; i++) {
        const struct option *o = option_find(table, str_of(t->items[i]->key));
        struct buf names = BUF_INIT(2000);

        if (o) {
            st = plan_option(r, t->items[i], o, into);
            continue;
        }
        for (const struct option *p = table; p && p->name; p++)
            buf_addf(&names, "%s%s", p == table ? "" : ", ", p->name);
        if (names.len == 0)
            buf_add_z(&names, "none");
        st = unknown(r, t->items[i], what, &names);
    }
    return st;
}

enum status plan_text(struct plan_reader *r, const struct tree *t, void *ret)
{
    char **text = ret;

    TRY(plan_expect(r, t, TREE_TEXT, "a text", "it behind the colon"));
    if (str_trim(str_of(t->text)).len == 0)
        return plan_wrong(r, t->line, "%s%snothing is written here", key_of(t), t->key ? ": " : "");
    free(*text);
    *text = str_dup(str_trim(str_of(t->text)));
    return ST_OK;
}

enum status plan_number(struct plan_reader *r, const struct tree *t, void *ret)
{
    double v;

    TRY(plan_expect(r, t, TREE_TEXT, "a number", "0.05"));
    if (!str_to_double(str_of(t->text), &v) || !isfinite(v))
        return plan_wrong(r, t->line, "%s: '%s' is no number", key_of(t), t->text);
    *(double *)ret = v;
    return ST_OK;
}

enum status plan_texts(struct plan_reader *r, const struct tree *t, void *ret)
{
    enum status st = ST_OK;
    char *one = NULL;

    if (t->kind == TREE_MAP)
        return plan_expect(r, t, TREE_LIST, "a list", "[one, another]");
    if (t->kind == TREE_LIST && t->count == 0)
        return plan_wrong(r, t->line, "%s: the list is empty", key_of(t));
    for (size_t i = 0; st == ST_OK && i < (t->kind == TREE_LIST ? t->count : 1); i++) {
        st = plan_text(r, t->kind == TREE_LIST ? t->items[i] : t, &one);
        if (st == ST_OK)
            text_list_add(ret, str_of(one));
    }
    free(one);
    return st;
}

static enum status bad_quantity(const struct plan_reader *r, const struct tree *t)
{
    return plan_wrong(
        r, t->line,
        "%s%s'%s' will not do: write a share of the pages that can be reached (20%%), "
        "a number of pages (1500) or a time (60m)",
        key_of(t), t->key ? ": " : "", t->text);
}

static enum status read_share(const struct plan_reader *r, const struct tree *t, struct str text,
                              struct quantity *ret)
{
    double v;

    if (!str_to_double(str_trim(text), &v) || !isfinite(v))
        return bad_quantity(r, t);
    if (!(v > 0 && v <= 100))
        return plan_wrong(r, t->line,
                          "%s%s'%s' will not do: a share is above 0%% and at most 100%%", key_of(t),
                          t->key ? ": " : "", t->text);
    *ret = (struct quantity){QUANTITY_SHARE, v / 100};
    return ST_OK;
}

enum status plan_quantity(struct plan_reader *r, const struct tree *t, void *into)
{
    struct quantity *ret = into;
    enum status st = plan_expect(r, t, TREE_TEXT, "one value", "20%, 1500 or 60m");
    struct str text = st == ST_OK ? str_trim(str_of(t->text)) : STR("");
    uint64_t pages;
    int64_t us;

    if (st != ST_OK)
        return st;
    if (str_ends(text, STR("%")))
        return read_share(r, t, str_sub(text, 0, text.len - 1), ret);
    if (str_to_u64(text, &pages) && pages <= 1000000000)
        *ret = (struct quantity){QUANTITY_PAGES, (double)pages};
    else if (text.len > 0 && ascii_is_alpha(text.ptr[text.len - 1]) &&
             units_duration(text, &us) == ST_OK)
        *ret = (struct quantity){QUANTITY_TIME, (double)us};
    else
        return bad_quantity(r, t);
    if (ret->value <= 0)
        return plan_wrong(r, t->line, "%s%s'%s' will not do: it must be above 0", key_of(t),
                          t->key ? ": " : "", t->text);
    return ST_OK;
}

enum status plan_name(struct plan_reader *r, unsigned line, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++)
        if (name[i] == '/' || (unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return plan_wrong(r, line, "'%s' cannot be a name: it names a folder", name);
    if (len == 0 || len > LIMIT_PLAN_NAME || name[0] == '.' || name[0] == '-')
        return plan_wrong(r, line,
                          "'%.120s' cannot be a name: it names a folder (1 to %d bytes, "
                          "no '.' or '-' in front)",
                          name, LIMIT_PLAN_NAME);
    return ST_OK;
}

static void show_time(double us, struct buf *out)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{86400e6, "d"}, {3600e6, "h"}, {60e6, "m"}, {1e6, "s"}, {1e3, "ms"}, {1, "us"}};
    size_t u = 0;

    while (u + 1 < sizeof units / sizeof *units && fmod(us, units[u].size) != 0)
        u++;
    buf_addf(out, "%.15g %s", us / units[u].size, units[u].name);
}

void quantity_show(struct quantity q, struct buf *out)
{
    if (q.kind == QUANTITY_PAGES)
        buf_addf(out, "%.15g", q.value);
    else if (q.kind == QUANTITY_SHARE)
        buf_addf(out, "%.12g %%", q.value * 100);
    else if (q.kind == QUANTITY_TIME)
        show_time(q.value, out);
}

uint64_t quantity_pages(struct quantity q, double k, uint32_t reachable)
{
    double pages = q.kind == QUANTITY_SHARE ? k * q.value * reachable : k * q.value;

    return pages < 1 ? 1 : (uint64_t)floor(pages + 0.5 - 1e-6);
}
