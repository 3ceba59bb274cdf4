/* wordbook.c - the words behind terms, for people. See wordbook.h.
 *
 * A profile has the term of every word in order (flow.h), and the page where each word
 * stands: so a word is found by looking for a number, without a stemmer.
 * SPDX-License-Identifier: MIT */
#include "crawl/tell/wordbook.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/search.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/words/unspaced.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <stdlib.h>

#define ASKED_MOST 256 /* open questions; others have to be asked again */

struct wordbook_entry {
    uint32_t term;
    char *word;
};

struct wordbook {
    struct map where; /* hash of a term -> its entry */
    struct wordbook_entry *entries;
    size_t count, cap;
    size_t topic; /* entries of the topic: the first ones */
    uint32_t asked[ASKED_MOST];
    size_t nasked;
    const struct page *page; /* the current page; NULL: none */
    const struct profile *profile;
};

static struct wordbook_entry *find(const struct wordbook *b, uint32_t term)
{
    uint32_t at = map_get(&b->where, hash_u64(term));

    return at == MAP_NONE ? NULL : &b->entries[at];
}

static void add(struct wordbook *b, uint32_t term, struct str word)
{
    if (b->count >= LIMIT_WORDBOOK || word.len == 0 || find(b, term))
        return;
    MEM_GROW(b->entries, b->count, &b->cap);
    map_set(&b->where, hash_u64(term), (uint32_t)b->count);
    b->entries[b->count++] = (struct wordbook_entry){term, str_dup(word)};
}

/* ---- the topic's own ------------------------------------------------------------ */

/* Replaces stems by the author's spelling: "energy", not "energi". */
static void respell(struct wordbook *b, const struct topic *t)
{
    struct stemmer *stemmer = stemmer_new(1);
    struct str source = topic_source(t);
    int lang = stem_lang(topic_lang(t));
    LOCAL_HEAP bool *done = mem_zero(b->count + 1, sizeof *done);
    bool stop;
    size_t at = 0, off, len;

    while (token_next(source, &at, &off, &len)) {
        struct str word = str_sub(source, off, off + len);
        struct wordbook_entry *e = find(b, term_id(stem_word(stemmer, lang, word, &stop)));
        char lower[2 * TOKEN_MAX];

        if (e == NULL || done[e - b->entries])
            continue;
        done[e - b->entries] = true;
        free(e->word);
        e->word = str_dup((struct str){lower, token_lower(word.ptr, word.len, lower)});
    }
    stemmer_free(stemmer);
}

struct wordbook *wordbook_new(const struct topic *t)
{
    struct wordbook *b = MEM_NEW(struct wordbook);

    map_init(&b->where);
    for (size_t i = 0; i < topic_terms(t); i++) {
        uint32_t id;
        float weight;
        struct str stem = topic_term(t, i, &weight, &id);

        add(b, id, stem);
    }
    b->topic = b->count;
    if (b->count > 0)
        respell(b, t);
    return b;
}

void wordbook_free(struct wordbook *b)
{
    if (b == NULL)
        return;
    for (size_t i = 0; i < b->count; i++)
        free(b->entries[i].word);
    free(b->entries);
    map_free(&b->where);
    free(b);
}

/* ---- the page at hand ------------------------------------------------------------ */

static bool has_term(const struct profile *p, uint32_t term)
{
    size_t i;

    FIND_FIRST(i, 0, p->nterms, p->terms[i].id >= term);
    return i < p->nterms && p->terms[i].id == term;
}

/* The i-th word of the title, with the characters behind it that belong to it. */
static struct str title_word(const struct wordbook *b, uint32_t i)
{
    const struct profile *p = b->profile;
    struct str title = b->page->title;
    size_t at = 0, from = 0, end = 0, off, len;

    for (uint32_t k = 0; k < p->ntitle && token_next(title, &at, &off, &len); k++) {
        if (k > i && p->sequence[k] != 0)
            break;
        if (k == i)
            from = off;
        end = off + len;
    }
    return str_sub(title, from, end);
}

static struct str word_at(const struct wordbook *b, uint32_t i)
{
    const struct page *page = b->page;
    uint32_t first = b->profile->ntitle + 1;

    if (i < first)
        return title_word(b, i);
    if (i - first >= page->nwords || page->text.len == 0)
        return STR("");
    return unspaced_word(page->text, page->words + (i - first), b->profile->sequence + i,
                         page->nwords - (i - first));
}

static bool look_for(struct wordbook *b, uint32_t term)
{
    const struct profile *p = b->profile;
    char lower[2 * TOKEN_MAX];

    if (b->page == NULL || !has_term(p, term))
        return false;
    for (uint32_t i = 0; i < p->nsequence; i++) {
        struct str word = p->sequence[i] == term && i != p->ntitle ? word_at(b, i) : STR("");

        if (word.len == 0 || word.len > TOKEN_MAX)
            continue;
        add(b, term, (struct str){lower, token_lower(word.ptr, word.len, lower)});
        return true;
    }
    return false;
}

static void ask(struct wordbook *b, uint32_t term)
{
    for (size_t i = 0; i < b->nasked; i++)
        if (b->asked[i] == term)
            return;
    if (b->nasked < ASKED_MOST)
        b->asked[b->nasked++] = term;
}

struct str wordbook_word(struct wordbook *b, uint32_t term)
{
    struct wordbook_entry *e = find(b, term);

    if (e == NULL && !look_for(b, term))
        ask(b, term);
    if (e == NULL)
        e = find(b, term);
    return e ? str_of(e->word) : STR("");
}

size_t wordbook_questions(const struct wordbook *b)
{
    return b->nasked;
}

void wordbook_open(struct wordbook *b, const struct page *page, const struct profile *profile)
{
    size_t left = 0;

    if (b == NULL)
        return;
    b->page = page;
    b->profile = profile;
    for (size_t i = 0; i < b->nasked; i++)
        if (!look_for(b, b->asked[i]))
            b->asked[left++] = b->asked[i];
    b->nasked = left;
}

void wordbook_close(struct wordbook *b)
{
    if (b)
        b->page = NULL;
}

/* ---- checkpoints ------------------------------------------------------------------ */

void wordbook_save(const struct wordbook *b, struct buf *out)
{
    buf_put_u32(out, (uint32_t)(b->count - b->topic));
    for (size_t i = b->topic; i < b->count; i++) {
        buf_put_u32(out, b->entries[i].term);
        buf_put_str(out, str_of(b->entries[i].word));
    }
}

enum status wordbook_load(struct wordbook *b, struct cursor *from)
{
    uint32_t n = cursor_u32(from);

    for (uint32_t i = 0; i < n && !from->bad; i++) {
        uint32_t term = cursor_u32(from);

        add(b, term, cursor_str(from));
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved words are cut") : ST_OK;
}
