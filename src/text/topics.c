/* topics.c - several topics in one file, joined into the one that a crawl follows.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/topic_int.h"

#include <string.h>

/* ---- headings ---- */

/* Is it a line `[NAME]`? */
static bool is_heading(struct str line, struct str *ret_name)
{
    line = str_trim(line);
    if (line.len < 2 || line.ptr[0] != '[' || line.ptr[line.len - 1] != ']')
        return false;
    *ret_name = str_trim(str_sub(line, 1, line.len - 1));
    return true;
}

bool topic_has_headings(struct str text)
{
    struct str line, name;

    while (str_cut(&text, '\n', &line))
        if (is_heading(line, &name))
            return true;
    return false;
}

static bool is_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < ' ' || strchr("[]", name.ptr[i]))
            return false;
    return name.len > 0 && name.len <= LIMIT_TOPIC_NAME && utf8_is_valid(name);
}

static enum status check_name(const struct topic *t, struct str name)
{
    if (!is_name(name))
        return status_fail(ST_USAGE,
                           "the heading of a topic is a name in brackets, of 1 to %d bytes: "
                           "[coral reefs]",
                           LIMIT_TOPIC_NAME);
    for (size_t i = 0; i < t->nparts; i++)
        if (str_eq(t->parts[i]->name, name))
            return status_fail(ST_USAGE, "two topics are called '%.*s'", STR_ARG(name));
    return t->nparts < LIMIT_TOPICS
               ? ST_OK
               : status_fail(ST_USAGE, "a crawl has at most %d topics", LIMIT_TOPICS);
}

/* ---- a file with headings ---- */

/* Only blank lines and comments may come before the first heading. */
static enum status check_before(struct str text)
{
    struct str line;

    while (str_cut(&text, '\n', &line)) {
        line = str_trim(line);
        if (line.len > 0 && line.ptr[0] != '#')
            return status_fail(ST_USAGE,
                               "'%.*s' stands before the first [NAME] and belongs to "
                               "no topic",
                               STR_ARG(line));
    }
    return ST_OK;
}

/* Returns the lines of one topic; `*ret_next` are those after its last one. */
static struct str cut_part(struct str text, struct str *ret_next, size_t *ret_lines)
{
    struct str rest = text, line, name;

    *ret_lines = 0;
    *ret_next = (struct str){text.ptr + text.len, 0};
    while (rest.len > 0) {
        struct str from = rest;

        (void)str_cut(&rest, '\n', &line);
        if (is_heading(line, &name)) {
            *ret_next = from;
            break;
        }
        ++*ret_lines;
    }
    return (struct str){text.ptr, (size_t)(ret_next->ptr - text.ptr)};
}

static enum status add_part(struct topic *t, struct str name, struct str text, size_t line,
                            const char *file, struct str lang)
{
    struct topic *part;
    enum status st = check_name(t, name);

    if (st != ST_OK)
        return status_prefix(st, "%s:%zu", file, line - 1);
    st = topic_from_lines(text, line, file, lang, &part);
    if (st != ST_OK)
        return st;
    part->name = arena_str(&part->memory, name);
    t->parts = mem_resize(t->parts, t->nparts + 1, sizeof(struct topic *));
    t->parts[t->nparts++] = part;
    return ST_OK;
}

static enum status read_parts(struct topic *t, struct str text, const char *file, struct str lang)
{
    struct str next, line, name, part;
    size_t lines, at = 1;
    enum status st = check_before(cut_part(text, &next, &lines));

    if (st != ST_OK)
        return status_prefix(st, "%s", file);
    at += lines;
    while (st == ST_OK && next.len > 0) {
        (void)str_cut(&next, '\n', &line);
        (void)is_heading(line, &name);
        part = cut_part(next, &next, &lines);
        st = add_part(t, name, part, at + 1, file, lang);
        at += lines + 1;
    }
    return st;
}

/* ---- joining ---- */

/* All topics search the same web, so they share one table of document frequencies. */
static enum status join_table(struct topic *t)
{
    for (size_t i = 0; i < t->nparts; i++) {
        struct str file = t->parts[i]->idf_file;

        if (file.len > 0 && t->idf_file.len > 0 && !str_eq(file, t->idf_file))
            return status_fail(ST_USAGE, "a crawl has one idf table, and its topics name two");
        if (file.len > 0)
            t->idf_file = file;
    }
    return ST_OK;
}

/* One topic's negative words may be another's positive ones, so only positive items are joined. */
static void join_items(struct topic *t)
{
    for (size_t i = 0; i < t->nparts; i++) {
        const struct topic *part = t->parts[i];

        t->keeps_stops |= part->keeps_stops;
        for (size_t k = 0; k < part->nitems; k++) {
            if (part->items[k].weight < 0)
                continue;
            MEM_GROW(t->items, t->nitems, &t->items_cap);
            t->items[t->nitems++] = part->items[k];
        }
        for (size_t k = 0; k < part->nexamples; k++) {
            MEM_GROW(t->examples, t->nexamples, &t->examples_cap);
            t->examples[t->nexamples++] = part->examples[k];
        }
        for (size_t k = 0; k < part->nmarks; k++) {
            MEM_GROW(t->marks, t->nmarks, &t->marks_cap);
            t->marks[t->nmarks++] = part->marks[k];
        }
    }
}

enum status topic_from_text(struct str text, const char *name, struct str lang, struct topic **ret)
{
    struct topic *t;
    enum status st;

    if (text.len > LIMIT_TOPIC_FILE || !topic_has_headings(text))
        return topic_from_lines(text, 1, name, lang, ret);
    t = topic_new(text, lang);
    st = read_parts(t, text, name, lang);
    if (st == ST_OK) {
        st = join_table(t);
        if (st != ST_OK)
            st = status_prefix(st, "%s", name);
    }
    if (st == ST_OK) {
        join_items(t);
        st = topic_collect(t);
    }
    if (st == ST_OK)
        *ret = t;
    else
        topic_free(t);
    return st;
}

static bool has_both_kinds(const struct topic *t)
{
    size_t plus = 0;

    for (size_t i = 0; i < t->nsamples; i++)
        plus += t->samples[i].is_positive;
    return plus > 0 && plus < t->nsamples;
}

/* Is this negative example of one topic a positive one of another? */
static bool is_wanted(const struct topic *t, const struct classify_example *e)
{
    for (size_t i = 0; i < t->nparts; i++)
        for (size_t k = 0; k < t->parts[i]->nsamples; k++) {
            const struct classify_example *other = &t->parts[i]->samples[k];

            if (other->is_positive && other->nterms == e->nterms &&
                memcmp(other->terms, e->terms, e->nterms * sizeof *e->terms) == 0)
                return true;
        }
    return false;
}

void topic_join_samples(struct topic *t)
{
    bool both = true;

    if (t->nparts == 0)
        return;
    t->nsamples = 0;
    for (size_t i = 0; i < t->nparts; i++)
        both &= has_both_kinds(t->parts[i]);
    for (size_t i = 0; i < t->nparts; i++)
        for (size_t k = 0; k < t->parts[i]->nsamples; k++) {
            const struct classify_example *e = &t->parts[i]->samples[k];

            if (!e->is_positive && (!both || is_wanted(t, e)))
                continue;
            MEM_GROW(t->samples, t->nsamples, &t->samples_cap);
            t->samples[t->nsamples++] = *e;
        }
}

/* ---- accessors ---- */

size_t topic_parts(const struct topic *t)
{
    return t->nparts;
}

struct topic *topic_part(const struct topic *t, size_t i)
{
    return t->parts[i];
}

struct str topic_name(const struct topic *t)
{
    return t->name;
}
