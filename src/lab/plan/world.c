/* world.c - the worlds of a plan: directories, or how to make one.
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "crawl/identity.h"
#include "text/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum status world_name(struct plan_reader *r, const struct tree *t, void *into)
{
    return plan_text(r, t, &((struct plan_world *)into)->name);
}

static enum status world_dir(struct plan_reader *r, const struct tree *t, void *into)
{
    return plan_text(r, t, &((struct plan_world *)into)->dir);
}

static enum status world_made(struct plan_reader *r, const struct tree *t, void *into)
{
    struct plan_world *w = into;
    enum status st = plan_expect(r, t, TREE_MAP, "a mapping", "{kind: topical, pages: 20000}");

    if (st != ST_OK)
        return st;
    w->make = MEM_NEW(struct make_config);
    make_config_init(w->make);
    w->make->software = BROOD_SOFTWARE;
    w->make->menus = 0; /* plans older than the option keep their worlds: docs/adr/0026 */
    st = plan_options(r, t, make_option_table, "'make'", w->make);
    for (size_t i = 0; st == ST_OK && i < t->count; i++) {
        struct buf pair = BUF_INIT(LIMIT_PLAN_FILE);

        buf_addf(&pair, "%s=%s", t->items[i]->key, t->items[i]->text);
        text_list_add(&w->made_of, buf_str(&pair));
        buf_free(&pair);
    }
    return st;
}

static enum status world_exclude(struct plan_reader *r, const struct tree *t, void *into)
{
    return plan_texts(r, t, &((struct plan_world *)into)->exclude);
}

static enum status world_main(struct plan_reader *r, const struct tree *t, void *into)
{
    static const struct {
        const char *name;
        unsigned part;
    } parts[] = {{"terms", PROFILE_MAIN_TERMS},
                 {"contexts", PROFILE_MAIN_CONTEXTS},
                 {"near", PROFILE_MAIN_SIMHASH},
                 {"change", PROFILE_MAIN_CHANGE},
                 {"none", PROFILE_MAIN_NONE}};
    struct plan_world *w = into;
    enum status st = plan_texts(r, t, &w->main);

    for (size_t i = 0; st == ST_OK && i < w->main.count; i++) {
        unsigned before = w->main_parts;

        for (size_t k = 0; k < ARRAY_LEN(parts); k++)
            if (strcmp(w->main.items[i], parts[k].name) == 0)
                w->main_parts |= parts[k].part;
        if (w->main_parts == before)
            st = plan_wrong(
                r, t->line,
                "main: '%s' is not one of terms, contexts, near, change, none, or stands "
                "twice",
                w->main.items[i]);
    }
    return st;
}

static const struct plan_key world_keys[] = {
    {"name", world_name},       {"dir", world_dir},   {"make", world_made},
    {"exclude", world_exclude}, {"main", world_main}, {NULL, NULL},
};

/* The last part of the path. */
static char *name_of_dir(const char *dir)
{
    struct str s = str_of(dir);
    size_t from;

    while (s.len > 1 && s.ptr[s.len - 1] == '/')
        s.len--;
    for (from = s.len; from > 0 && s.ptr[from - 1] != '/'; from--)
        ;
    return str_dup(str_sub(s, from, s.len));
}

static enum status check_world(struct plan_reader *r, struct plan_world *w)
{
    const struct plan *p = r->plan;
    enum status st;

    if ((w->dir == NULL) == (w->make == NULL))
        return plan_wrong(r, w->line, "a world has a 'dir', or a 'make' that says how to make it%s",
                          w->dir ? ", not both" : "");
    if (w->name == NULL)
        w->name = w->dir ? name_of_dir(w->dir) : str_dup(STR("made"));
    st = plan_name(r, w->line, w->name);
    for (size_t i = 0; st == ST_OK && p->worlds + i < w; i++)
        if (strcmp(p->worlds[i].name, w->name) == 0)
            st = plan_wrong(r, w->line,
                            "there are two worlds '%s' (the other in line %u): give one a name, "
                            "{name: …, dir: …}",
                            w->name, p->worlds[i].line);
    return st;
}

static enum status read_world(struct plan_reader *r, const struct tree *t, struct plan_world *w)
{
    enum status st;

    w->line = t->line;
    if (t->kind == TREE_TEXT)
        st = plan_text(r, t, &w->dir);
    else if ((st = plan_expect(r, t, TREE_MAP, "a world", "DIR or {name: …, dir: …}")) == ST_OK)
        st = plan_map(r, t, world_keys, "a world", w);
    return st == ST_OK ? check_world(r, w) : st;
}

enum status plan_read_worlds(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;
    enum status st = plan_expect(r, t, TREE_LIST, "a list of worlds", "[DIR, {make: {…}}]");

    if (st == ST_OK && t->count == 0)
        st = plan_wrong(r, t->line, "worlds: the list is empty");
    if (st != ST_OK)
        return st;
    p->worlds = mem_zero(t->count, sizeof *p->worlds);
    while (st == ST_OK && p->nworlds < t->count) {
        p->nworlds++;
        st = read_world(r, t->items[p->nworlds - 1], &p->worlds[p->nworlds - 1]);
    }
    return st;
}

/* ---- where they are ------------------------------------------------------ */

static enum status expand(const struct plan *p, const struct plan_world *w, struct buf *out)
{
    struct str s = str_of(w->dir);

    for (size_t at = 0; at < s.len;) {
        size_t end =
            str_starts(str_sub(s, at, s.len), STR("${")) ? str_find_char(s, '}', at) : SIZE_MAX;
        const char *value;
        char *name;

        if (end == SIZE_MAX) {
            buf_add_char(out, s.ptr[at++]);
            continue;
        }
        name = str_dup(str_sub(s, at + 2, end));
        value = getenv(name);
        if (value == NULL || *value == '\0') {
            (void)status_fail(ST_USAGE,
                              "%s:%u: the world '%s' is in %s, but the environment variable %s "
                              "is not set: set it to a directory",
                              p->file, w->line, w->name, w->dir, name);
            free(name);
            return ST_USAGE;
        }
        free(name);
        buf_add_z(out, value);
        at = end + 1;
    }
    return ST_OK;
}

enum status plan_world_dir(const struct plan *p, const struct plan_world *w, struct buf *out)
{
    const char *slash = strrchr(p->file, '/');
    struct buf dir = BUF_INIT(4096);
    enum status st = expand(p, w, &dir);

    if (st == ST_OK) {
        if (slash && buf_str(&dir).ptr[0] != '/')
            buf_add(out, p->file, (size_t)(slash - p->file) + 1);
        buf_add_str(out, buf_str(&dir));
        if (dir.full || out->full)
            st = status_fail(ST_USAGE, "%s:%u: the path is too long", p->file, w->line);
    }
    buf_free(&dir);
    return st;
}

static enum status find_world(const struct plan *p, const struct plan_world *w)
{
    struct buf dir = BUF_INIT(4096), db = BUF_INIT(4200);
    enum status st = plan_world_dir(p, w, &dir);

    if (st == ST_OK) {
        buf_addf(&db, "%s/crawl.db", dir.data);
        if (access(dir.data, F_OK) != 0)
            st = status_fail(ST_USAGE,
                             "%s:%u: there is no world %s: make it with 'brood world make' or "
                             "'brood world import', or write {make: {…}} here",
                             p->file, w->line, dir.data);
        else if (access(db.data, F_OK) != 0)
            st = status_fail(ST_USAGE,
                             "%s:%u: %s is no world: it has no crawl.db ('brood world import' "
                             "makes one of pages)",
                             p->file, w->line, dir.data);
    }
    buf_free(&dir);
    buf_free(&db);
    return st;
}

enum status plan_find_worlds(const struct plan *p)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < p->nworlds; i++)
        if (p->worlds[i].dir)
            st = find_world(p, &p->worlds[i]);
    return st;
}
