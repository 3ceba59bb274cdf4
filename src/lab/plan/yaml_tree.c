/* yaml_tree.c - a YAML document as a tree whose nodes know their line.
 *
 * libyaml's events fill a stack of open lists and mappings; its depth is bounded,
 * so that freeing may recurse. SPDX-License-Identifier: MIT */
#include "lab/plan/yaml_tree.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/yaml_each.h"

#include <stdlib.h>

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
