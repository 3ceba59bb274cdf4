/* tell.c - what an agent is made of, for people. See tell.h.
 * SPDX-License-Identifier: MIT */
#include "agent/tell.h"

#include "base/limits.h"

#include <math.h>
#include <stdio.h>

/* Six digits are enough for people; the shortest form of a double takes five times as long. */
static void put_rounded(struct json *j, const char *name, double value)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%.6g", value);
    if (isfinite(value))
        json_put_raw(j, name, str_of(text));
    else
        json_put_null(j, name);
}

bool tell_spell(const struct model *m, uint32_t term, struct buf *out)
{
    struct str word = m->ctx->tell ? m->ctx->tell->word(m->ctx->engine, term) : STR("");

    if (word.len > 0)
        buf_add_str(out, word);
    else
        buf_addf(out, "#%08x", term);
    return word.len > 0;
}

void tell_word(struct json *j, struct str word, double weight)
{
    json_open_object(j, NULL);
    json_put_str(j, "word", word);
    put_rounded(j, "weight", weight);
    json_close(j);
}

/* By insertion: there are few words, and equal ones keep their order. */
static void sort_words(struct told_word *words, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct told_word w = words[i];
        size_t at = i;

        for (; at > 0 && fabs(words[at - 1].weight) < fabs(w.weight); at--)
            words[at] = words[at - 1];
        words[at] = w;
    }
}

void tell_words(const struct model *m, struct json *j, const char *weights, struct told_word *words,
                size_t n)
{
    LOCAL_BUF word = BUF_INIT(KIB(1));

    if (n == 0)
        return;
    sort_words(words, n);
    json_open_array(j, "keywords");
    for (size_t i = 0; i < n && i < TELL_WORDS; i++) {
        buf_clear(&word);
        (void)tell_spell(m, words[i].term, &word);
        tell_word(j, buf_str(&word), words[i].weight);
    }
    json_close(j);
    json_put_z(j, "weights", weights);
}

static void open_fact(struct json *j, const char *name, const char *label)
{
    json_open_object(j, NULL);
    json_put_z(j, "name", name);
    json_put_z(j, "label", label);
}

void tell_number(struct json *j, const char *name, const char *label, double value)
{
    open_fact(j, name, label);
    put_rounded(j, "value", value);
    json_close(j);
}

void tell_text(struct json *j, const char *name, const char *label, struct str value)
{
    open_fact(j, name, label);
    json_put_str(j, "value", value);
    json_close(j);
}

static struct str href_of(const struct model *m, uint32_t url, char room[16])
{
    struct str href = m->ctx->href ? m->ctx->href(m->ctx->engine, url) : STR("");

    if (href.len > 0)
        return href;
    (void)snprintf(room, 16, "#%u", url);
    return str_of(room);
}

void tell_url(const struct model *m, struct json *j, const char *name, const char *label,
              uint32_t url)
{
    char room[16];

    if (url)
        tell_text(j, name, label, href_of(m, url, room));
}

void tell_place(const struct model *m, struct json *j, uint32_t url, double value)
{
    char room[16];

    json_open_object(j, NULL);
    json_put_str(j, "url", href_of(m, url, room));
    put_rounded(j, "value", value);
    json_close(j);
}
