/* world.c - the worlds of a plan: directories, or how to make one.
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "crawl/identity.h"
#include "text/profile.h"

#include <stdlib.h>
#include <unistd.h>

static enum status world_made(struct plan_reader *r, const struct tree *t, void *into)
{
    struct plan_world *w = into;

    TRY(plan_expect(r, t, TREE_MAP, "a mapping", "{kind: topical, pages: 20000}"));
    w->make = MEM_NEW(struct make_config);
    make_config_init(w->make);
    w->make->software = BROOD_SOFTWARE;
    w->make->menus = 0; /* plans older than the option keep their worlds: docs/adr/0026 */
    TRY(plan_options(r, t, make_option_table, "'make'", w->make));
    for (size_t i = 0; i < t->count; i++) {
        struct buf pair = BUF_INIT(LIMIT_PLAN_FILE);

        buf_addf(&pair, "%s=%s", t->items[i]->key, t->items[i]->text);
        text_list_add(&w->made_of, buf_str(&pair));
        buf_free(&pair);
    }
    return ST_OK;
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

#define KEY(member, read) PLAN_KEY(struct plan_world, member, read)

static const struct plan_key world_keys[] = {
    KEY(name, plan_text),     KEY(dir, plan_text),     {"make", world_made, 0},
    KEY(exclude, plan_texts), {"main", world_main, 0}, {NULL, NULL, 0},
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

    if ((w->dir == NULL) == (w->make == NULL))
        return plan_wrong(r, w->line, "a world has a 'dir', or a 'make' that says how to make it%s",
                          w->dir ? ", not both" : "");
    if (w->name == NULL)
        w->name = w->dir ? name_of_dir(w->dir) : str_dup(STR("made"));
    TRY(plan_name(r, w->line, w->name));
    for (size_t i = 0; p->worlds + i < w; i++)
        if (strcmp(p->worlds[i].name, w->name) == 0)
            return plan_wrong(r, w->line,
                              "there are two worlds '%s' (the other in line %u): give one a name, "
                              "{name: …, dir: …}",
                              w->name, p->worlds[i].line);
    return ST_OK;
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

    TRY(plan_expect(r, t, TREE_LIST, "a list of worlds", "[DIR, {make: {…}}]"));
    if (t->count == 0)
        return plan_wrong(r, t->line, "worlds: the list is empty");
    p->worlds = mem_zero(t->count, sizeof *p->worlds);
    while (p->nworlds < t->count) {
        p->nworlds++;
        TRY(read_world(r, t->items[p->nworlds - 1], &p->worlds[p->nworlds - 1]));
    }
    return ST_OK;
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
    LOCAL_BUF dir = BUF_INIT(4096);

    TRY(expand(p, w, &dir));
    if (slash && buf_str(&dir).ptr[0] != '/')
        buf_add(out, p->file, (size_t)(slash - p->file) + 1);
    buf_add_str(out, buf_str(&dir));
    if (dir.full || out->full)
        return status_fail(ST_USAGE, "%s:%u: the path is too long", p->file, w->line);
    return ST_OK;
}

static enum status find_world(const struct plan *p, const struct plan_world *w)
{
    LOCAL_BUF dir = BUF_INIT(4096), db = BUF_INIT(4200);

    TRY(plan_world_dir(p, w, &dir));
    buf_addf(&db, "%s/crawl.db", dir.data);
    if (access(dir.data, F_OK) != 0)
        return status_fail(ST_USAGE,
                           "%s:%u: there is no world %s: make it with 'brood world make' or "
                           "'brood world import', or write {make: {…}} here",
                           p->file, w->line, dir.data);
    else if (access(db.data, F_OK) != 0)
        return status_fail(ST_USAGE,
                           "%s:%u: %s is no world: it has no crawl.db ('brood world import' "
                           "makes one of pages)",
                           p->file, w->line, dir.data);
    return ST_OK;
}

enum status plan_find_worlds(const struct plan *p)
{
    for (size_t i = 0; i < p->nworlds; i++)
        if (p->worlds[i].dir)
            TRY(find_world(p, &p->worlds[i]));
    return ST_OK;
}
