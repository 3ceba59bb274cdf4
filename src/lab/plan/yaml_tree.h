/* yaml_tree.h - a YAML document as a tree whose nodes know their line.
 *
 * What plans need of YAML: texts, lists, mappings from words to values. Refused
 * with "NAME:LINE: …": aliases, tags of our own, a key given twice, a second
 * document, nesting beyond LIMIT_PLAN_NESTING, NUL in a text.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    unsigned line;       /* from 1 */
    char *text;          /* TREE_TEXT: its value, ends in NUL */
    char *key;           /* in a mapping: the word before it; else NULL */
    unsigned key_line;   /* where that stands */
    struct tree **items; /* TREE_LIST, TREE_MAP: in order of writing */
    size_t count, cap;
};

/* `name` is for messages. An empty document is an empty mapping. */
enum status tree_parse(struct str text, const char *name, struct tree **ret) MUST_USE;
void tree_free(struct tree *t);

/* The value of a key, or NULL. */
const struct tree *tree_get(const struct tree *map, const char *key);
