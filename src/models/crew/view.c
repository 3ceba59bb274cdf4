/* view.c - lattices for others: what an agent kept, what pages say, as dot and as JSON.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew.h"

#include "base/limits.h"
#include "base/mem.h"
#include "models/crew/context.h"
#include "models/crew/lattice.h"
#include "text/words/token.h"
#include "text/vocab.h"

#include <jansson.h>
#include <stdlib.h>

#define KEYWORDS     50
#define LEAST_EXTENT 0.01 /* of a concept, as a share of the pages */

static void build(struct lattice *l)
{
    lattice_build(l, lattice_share(l, LEAST_EXTENT));
}

/* ---- as stored by the model ------------------------------------------------------ */

static bool read_keywords(struct lattice_view *r, const json_t *words)
{
    size_t n = json_array_size(words);

    if (!json_is_array(words) || n > LIMIT_LATTICE_ATTRIBUTES)
        return false;
    r->lattice = lattice_new((unsigned)n);
    r->names = mem_zero(n + 1, sizeof *r->names);
    for (size_t i = 0; i < n; i++) {
        const json_t *word = json_array_get(words, i);

        if (!json_is_string(word))
            return false;
        r->names[i] = arena_str(&r->strings, str_of(json_string_value(word)));
    }
    return true;
}

static bool read_hex(const char *text, uint64_t *ret)
{
    size_t n = text ? strlen(text) : 0;

    if (n < 1 || n > 16)
        return false;
    *ret = 0;
    for (size_t i = 0; i < n; i++) {
        if (ascii_hex(text[i]) < 0)
            return false;
        *ret = *ret << 4 | (uint64_t)ascii_hex(text[i]);
    }
    return true;
}

static bool read_rows(struct lattice_view *r, const json_t *pages, const json_t *rows)
{
    size_t n = json_array_size(pages);
    bool good = json_is_array(pages) && json_array_size(rows) == n;

    for (size_t i = 0; good && i < n; i++) {
        const json_t *page = json_array_get(pages, i);
        uint64_t row;

        good = json_is_integer(page) &&
               read_hex(json_string_value(json_array_get(rows, i)), &row) &&
               lattice_put(r->lattice, (uint32_t)json_integer_value(page), row) == ST_OK;
    }
    return good;
}

enum status lattice_view_read(struct str text, struct lattice_view *ret)
{
    json_t *j = text.len <= LIMIT_LATTICE_KEPT ? json_loadb(text.ptr, text.len, 0, NULL) : NULL;
    bool good;

    *ret = (struct lattice_view){.at = json_integer_value(json_object_get(j, "at"))};
    arena_init(&ret->strings, LIMIT_LATTICE_KEPT);
    good = read_keywords(ret, json_object_get(j, "keywords")) &&
           read_rows(ret, json_object_get(j, "pages"), json_object_get(j, "rows"));
    json_decref(j);
    if (good) {
        build(ret->lattice);
        return ST_OK;
    }
    lattice_view_clear(ret);
    return status_fail(ST_CORRUPT, "what was kept of the lattice makes no sense");
}

void lattice_view_clear(struct lattice_view *r)
{
    lattice_free(r->lattice);
    free(r->names);
    arena_free(&r->strings);
    *r = (struct lattice_view){0};
}

/* ---- of pages -------------------------------------------------------------------- */

struct lattice_reader {
    struct context *context;
    struct vocab *words; /* terms as they are written */
};

struct lattice_reader *lattice_reader_new(void)
{
    struct lattice_reader *r = MEM_NEW(struct lattice_reader);

    r->context = context_new(LIMIT_LATTICE_OBJECTS, LIMIT_LATTICE_ROW);
    r->words = vocab_new();
    vocab_keep_text(r->words);
    return r;
}

void lattice_reader_free(struct lattice_reader *r)
{
    vocab_free(r->words);
    context_free(r->context);
    free(r);
}

/* Names a term as the page writes it: the first word of its text with that term, in lower case. */
static void name_term(uint32_t term, const struct profile *p, const struct page *page,
                      struct vocab *words)
{
    char lower[2 * TOKEN_MAX];

    if (page->words == NULL || page->text.len == 0) /* its text is not available */
        return;
    for (uint32_t i = 0; i < page->nwords && p->ntitle + 1 + i < p->nsequence; i++)
        if (p->sequence[p->ntitle + 1 + i] == term) {
            struct word w = page->words[i];
            size_t len =
                token_lower(page->text.ptr + w.off, w.len < TOKEN_MAX ? w.len : TOKEN_MAX, lower);

            vocab_name(words, term, (struct str){lower, len});
            return;
        }
}

void lattice_reader_add(struct lattice_reader *r, uint32_t id, const struct profile *p,
                        const struct page *page, const struct df_table *df)
{
    struct top_term top[LIMIT_LATTICE_ROW];
    size_t n = top_terms(p, df, LIMIT_LATTICE_ROW, top);

    context_add(r->context, id, p, df);
    for (size_t i = 0; i < n; i++)
        if (vocab_lacks_text(r->words, top[i].id))
            name_term(top[i].id, p, page, r->words);
}

bool lattice_reader_view(const struct lattice_reader *r, const struct vocab *stems,
                         struct lattice_view *ret)
{
    uint32_t terms[LIMIT_LATTICE_ATTRIBUTES];
    size_t n = context_keywords(r->context, KEYWORDS, terms);

    if (context_pages(r->context) == 0)
        return false;
    *ret = (struct lattice_view){.names = mem_zero(n + 1, sizeof *ret->names)};
    arena_init(&ret->strings, LIMIT_LATTICE_KEPT);
    for (size_t i = 0; i < n; i++) {
        struct str word = vocab_text(r->words, terms[i]);

        ret->names[i] = arena_str(&ret->strings, word.len ? word : vocab_text(stems, terms[i]));
    }
    ret->lattice = context_lattice(r->context, terms, n);
    build(ret->lattice);
    return true;
}

/* ---- for people and programs ----------------------------------------------------- */

struct lattice_figures lattice_view_figures(const struct lattice_view *v)
{
    return (struct lattice_figures){.pages = lattice_objects(v->lattice),
                                    .keywords = lattice_attributes(v->lattice),
                                    .concepts = lattice_count(v->lattice),
                                    .least = lattice_min_extent(v->lattice)};
}

uint32_t lattice_view_largest(const struct lattice_view *v, uint32_t max, struct concept **ret)
{
    LOCAL_HEAP uint32_t *at = mem_zero((size_t)lattice_count(v->lattice) + 1, sizeof *at);
    uint32_t count = lattice_largest(v->lattice, max, false, at);

    *ret = mem_zero((size_t)count + 1, sizeof **ret);
    for (uint32_t i = 0; i < count; i++)
        (*ret)[i] = lattice_concept(v->lattice, at[i]);
    return count;
}

/* What is written: places in the output, by concept. */
struct selection {
    uint32_t *concepts; /* in the order of writing */
    uint32_t *place;    /* by concept; LATTICE_NONE: left out */
    uint32_t count;
};

static void selection_init(struct selection *s, const struct lattice *l, uint32_t max)
{
    uint32_t n = lattice_count(l);

    s->concepts = mem_alloc((n + 1) * sizeof *s->concepts);
    s->place = mem_alloc((n + 1) * sizeof *s->place);
    s->count = lattice_largest(l, max && max < n ? max : n, true, s->concepts);
    for (uint32_t i = 0; i < n; i++)
        s->place[i] = LATTICE_NONE;
    for (uint32_t i = 0; i < s->count; i++)
        s->place[s->concepts[i]] = i;
}

static void selection_clear(struct selection *s)
{
    free(s->concepts);
    free(s->place);
}

/* Returns the attributes that no concept above has. */
static uint64_t own_attributes(const struct lattice *l, uint32_t i)
{
    uint64_t above = 0;

    for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
        above |= lattice_concept(l, lattice_up_to(l, e)).intent;
    return lattice_concept(l, i).intent & ~above;
}

/* Writes a name inside a quoted string of dot. */
static void dot_name(struct buf *out, struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];

        if (c == '"' || c == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, c < ' ' ? ' ' : (char)c);
    }
}

static void dot_label(const struct lattice *l, const struct str *names, uint32_t i, struct buf *out)
{
    for (uint64_t own = own_attributes(l, i); own; own &= own - 1) {
        dot_name(out, names[bits_first(own)]);
        buf_add_z(out, "\\n");
    }
    buf_addf(out, "(%u)", lattice_concept(l, i).extent);
}

enum status lattice_view_dot(const struct lattice_view *v, uint32_t max, struct buf *out)
{
    const struct lattice *l = v->lattice;
    struct selection s;

    selection_init(&s, l, max);
    buf_add_z(out, "digraph lattice {\n  rankdir=BT;\n  node [shape=box];\n"
                   "  edge [arrowhead=none];\n");
    for (uint32_t i = 0; i < s.count; i++) {
        buf_addf(out, "  c%u [label=\"", i);
        dot_label(l, v->names, s.concepts[i], out);
        buf_add_z(out, "\"];\n");
        for (uint32_t e = lattice_up(l, s.concepts[i]); e != LATTICE_NONE;
             e = lattice_up_next(l, e))
            buf_addf(out, "  c%u -> c%u;\n", i, s.place[lattice_up_to(l, e)]);
    }
    buf_add_z(out, "}\n");
    selection_clear(&s);
    return out->full ? status_fail(ST_LIMIT, "the diagram is too large; ask for fewer concepts")
                     : ST_OK;
}

static void json_concept(const struct lattice *l, const struct str *names,
                         const struct selection *s, uint32_t i, struct json *j)
{
    struct concept c = lattice_concept(l, i);

    json_open_object(j, NULL);
    json_open_array(j, "intent");
    for (uint64_t rest = c.intent; rest; rest &= rest - 1)
        json_put_str(j, NULL, names[bits_first(rest)]);
    json_close(j);
    json_put_int(j, "extent", c.extent);
    json_open_array(j, "up");
    for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
        json_put_int(j, NULL, s->place[lattice_up_to(l, e)]);
    json_close(j);
    json_close(j);
}

void lattice_view_json(const struct lattice_view *v, uint32_t max, struct json *j, const char *name)
{
    const struct lattice *l = v->lattice;
    struct selection s;

    selection_init(&s, l, max);
    json_open_object(j, name);
    json_put_int(j, "objects", lattice_objects(l));
    json_open_array(j, "attributes");
    for (unsigned i = 0; i < lattice_attributes(l); i++)
        json_put_str(j, NULL, v->names[i]);
    json_close(j);
    json_put_int(j, "min_extent", lattice_min_extent(l));
    json_put_bool(j, "complete", lattice_is_complete(l));
    json_put_int(j, "total", lattice_count(l));
    json_open_array(j, "concepts");
    for (uint32_t i = 0; i < s.count; i++)
        json_concept(l, v->names, &s, s.concepts[i], j);
    json_close(j);
    json_close(j);
    selection_clear(&s);
}
