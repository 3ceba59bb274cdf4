/* lattice_write.c - a lattice as dot and as JSON.
 * SPDX-License-Identifier: MIT */
#include "models/crew/lattice_write.h"

#include "base/mem.h"
#include "models/crew/lattice_int.h"

#include <stdio.h>
#include <stdlib.h>

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

/* The attributes that no concept above has. */
static uint64_t own_attributes(const struct lattice *l, uint32_t i)
{
    uint64_t above = 0;

    for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
        above |= lattice_concept(l, lattice_up_to(l, e)).intent;
    return lattice_concept(l, i).intent & ~above;
}

/* A name inside a quoted string of dot. */
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
        if (names)
            dot_name(out, names[bits_first(own)]);
        else
            buf_addf(out, "%u", bits_first(own));
        buf_add_z(out, "\\n");
    }
    buf_addf(out, "(%u)", lattice_concept(l, i).extent);
}

enum status lattice_write_dot(const struct lattice *l, const struct str *names, uint32_t max,
                              struct buf *out)
{
    struct selection s;

    selection_init(&s, l, max);
    buf_add_z(out, "digraph lattice {\n  rankdir=BT;\n  node [shape=box];\n"
                   "  edge [arrowhead=none];\n");
    for (uint32_t i = 0; i < s.count; i++) {
        buf_addf(out, "  c%u [label=\"", i);
        dot_label(l, names, s.concepts[i], out);
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

static void json_name(struct json *j, const struct str *names, unsigned attribute)
{
    if (names)
        json_put_str(j, NULL, names[attribute]);
    else
        json_put_int(j, NULL, attribute);
}

static void json_concept(const struct lattice *l, const struct str *names,
                         const struct selection *s, uint32_t i, struct json *j)
{
    struct concept c = lattice_concept(l, i);

    json_open_object(j, NULL);
    json_open_array(j, "intent");
    for (uint64_t rest = c.intent; rest; rest &= rest - 1)
        json_name(j, names, bits_first(rest));
    json_close(j);
    json_put_int(j, "extent", c.extent);
    json_open_array(j, "up");
    for (uint32_t e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
        json_put_int(j, NULL, s->place[lattice_up_to(l, e)]);
    json_close(j);
    json_close(j);
}

void lattice_write_json(const struct lattice *l, const struct str *names, uint32_t max,
                        struct json *j, const char *name)
{
    struct selection s;

    selection_init(&s, l, max);
    json_open_object(j, name);
    json_put_int(j, "objects", lattice_objects(l));
    json_open_array(j, "attributes");
    for (unsigned i = 0; i < lattice_attributes(l); i++)
        json_name(j, names, i);
    json_close(j);
    json_put_int(j, "min_extent", lattice_min_extent(l));
    json_put_bool(j, "complete", lattice_is_complete(l));
    json_put_int(j, "total", lattice_count(l));
    json_open_array(j, "concepts");
    for (uint32_t i = 0; i < s.count; i++)
        json_concept(l, names, &s, s.concepts[i], j);
    json_close(j);
    json_close(j);
    selection_clear(&s);
}
