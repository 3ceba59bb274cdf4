/* block.c - the blocks of a page, the elements that hold them, and their sums.
 *
 * In: where blocks begin and end, in which elements. Out: struct main_text. Holders are a
 * flat list in document order: a parent stands before its children, and the blocks of a
 * holder are one interval, so that sums run backwards through the list once.
 *
 * Workload: 150 blocks and 300 holders a page. SPDX-License-Identifier: MIT
 */
#include "parse/main/main_int.h"

#include "base/limits.h"
#include "base/look.h"
#include "base/mem.h"

#include <stdlib.h>

#define KEEP_BLOCKS 4096 /* larger arrays are not kept for the next page */
#define LOOK_BYTES  300  /* of a block that are examined */
#define PROSE_BYTES 80   /* the least length of a paragraph */
#define TOPIC_WORDS 8    /* of a block that are looked up */

void main_text_init(struct main_text *m)
{
    memset(m, 0, sizeof *m);
    main_parts_init(&m->parts);
}

void main_text_free(struct main_text *m)
{
    free(m->blocks);
    free(m->holders);
    free(m->work);
    free(m->groups);
    free(m->group_slots);
    m->blocks = NULL;
    m->holders = NULL;
    m->work = NULL;
    m->groups = NULL;
    m->group_slots = NULL;
    m->count = m->nholders = m->blocks_cap = m->holders_cap = m->work_cap = 0;
}

void main_text_clear(struct main_text *m)
{
    if (m->blocks_cap > KEEP_BLOCKS || m->holders_cap > KEEP_BLOCKS)
        main_text_free(m);
    m->count = m->nholders = 0;
    m->full = false;
}

/* The kind of text in an element; PASSAGE_TEXT: the same as in its parent. */
static unsigned kind_of(unsigned tag)
{
    switch (tag) {
    case TAG_H1 ... TAG_H6:
        return PASSAGE_HEADING;
    case TAG_LI:
    case TAG_DT:
    case TAG_DD:
        return PASSAGE_LIST;
    case TAG_BLOCKQUOTE:
        return PASSAGE_QUOTE;
    case TAG_PRE:
        return PASSAGE_CODE;
    case TAG_TABLE:
        return PASSAGE_TABLE;
    }
    return PASSAGE_TEXT;
}

uint32_t main_text_hold(struct main_text *m, uint32_t parent, unsigned tag,
                        const struct main_names *names)
{
    struct holder *h;
    uint64_t parts;
    uint32_t like;

    if (m->nholders == LIMIT_HOLDERS)
        return parent;
    if (m->nholders == m->holders_cap)
        MEM_GROW(m->holders, m->nholders, &m->holders_cap);
    parts = main_parts_of(&m->parts, names, &like);
    h = &m->holders[m->nholders];
    *h = (struct holder){.parent = parent,
                         .like = like ^ tag * UINT32_C(0x9e3779b1),
                         .parts = parts,
                         .tag = (uint16_t)tag,
                         .kind = (uint8_t)kind_of(tag),
                         .first = (uint32_t)m->count};
    if (m->nholders) {
        h->depth = (uint16_t)(m->holders[parent].depth + 1);
        if (h->kind == PASSAGE_TEXT)
            h->kind = m->holders[parent].kind;
    }
    return (uint32_t)m->nholders++;
}

void main_text_block(struct main_text *m, uint32_t off, uint32_t holder, uint64_t parts,
                     unsigned inline_tag)
{
    m->full = m->count == LIMIT_BLOCKS;
    if (m->full)
        return;
    if (m->count == m->blocks_cap)
        MEM_GROW(m->blocks, m->count, &m->blocks_cap);
    m->blocks[m->count++] = (struct block){
        .off = off, .end = off, .holder = holder, .parts = parts, .inner = (uint8_t)inline_tag};
}

/* ---- sums ---------------------------------------------------------------------------- */

/* Punctuation of Chinese, Japanese, Hindi, Burmese and Khmer, three bytes each. */
static const struct {
    char bytes[4];
    bool is_stop;
} wide_marks[] = {
    {"\xe3\x80\x82", true},  {"\xef\xbc\x8e", true},  {"\xef\xbd\xa1", true},
    {"\xef\xbc\x81", true},  {"\xef\xbc\x9f", true},  {"\xe0\xa5\xa4", true},
    {"\xe1\x81\x8b", true},  {"\xe1\x9f\x94", true},  {"\xe3\x80\x81", false},
    {"\xef\xbc\x8c", false}, {"\xef\xbc\x9b", false}, {"\xe1\x81\x8a", false},
};

#define THAI_SENTENCE 40 /* letters that count as one sentence: Thai and Lao have no full stop */

/* Returns the mark that these three bytes are, or NULL. */
static const bool *wide_mark(const char *at)
{
    if ((unsigned char)*at < 0xe0)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(wide_marks); i++)
        if (memcmp(at, wide_marks[i].bytes, 3) == 0)
            return &wide_marks[i].is_stop;
    return NULL;
}

/* Counts marks of other scripts. Without them no paragraph in such a script would look like one. */
static void count_wide(struct main_work *w, struct str s)
{
    unsigned thai = 0;

    for (size_t i = 0; i + 3 <= s.len; i++) {
        const bool *is_stop = wide_mark(s.ptr + i);

        if (is_stop && *is_stop)
            w->stops++;
        else if (is_stop)
            w->commas++;
        thai += s.ptr[i] == '\xe0' && (unsigned char)s.ptr[i + 1] >= 0xb8;
    }
    w->stops += (uint16_t)(thai / THAI_SENTENCE);
}

/* Returns the last character of a block; a stop of another script counts as a full stop. */
static uint8_t last_of(struct str s)
{
    const bool *is_stop = s.len >= 3 ? wide_mark(s.ptr + s.len - 3) : NULL;

    if (is_stop && *is_stop)
        return '.';
    return s.len ? (uint8_t)s.ptr[s.len - 1] : ' ';
}

/* Adds up the bytes of a vector; their sums are below 256. */
static unsigned add_up(look16 counts)
{
    uint64_t half[2];

    memcpy(half, &counts, sizeof half);
    return (unsigned)((half[0] * UINT64_C(0x0101010101010101) >> 56) +
                      (half[1] * UINT64_C(0x0101010101010101) >> 56));
}

/* Returns the first bytes of `s`, sixteen at most, then zeros. `end` is that of the whole text. */
static inline look16 look_within(struct str s, const char *end)
{
    static const look16 places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    char copy[LOOK] = {0};

    if (s.len >= LOOK)
        return look_at(s.ptr);
    if (end - s.ptr >= LOOK)
        return look_at(s.ptr) & (look16)(places < (unsigned char)s.len);
    return look_at(memcpy(copy, s.ptr, s.len));
}

/* Counts marks and digits of the first bytes, sixteen at a time. */
static void count_bytes(struct main_work *w, struct str s, const char *end)
{
    look16 stops = {0}, commas = {0}, digits = {0}, wide = {0};

    s = str_sub(s, 0, LOOK_BYTES);
    for (size_t i = 0; i < s.len; i += LOOK) {
        look16 v = look_within((struct str){s.ptr + i, s.len - i}, end);

        stops -= (look16)((v == '.') | (v == '!') | (v == '?'));
        commas -= (look16)((v == ',') | (v == ';'));
        digits -= (look16)(v - '0' <= 9);
        wide |= (look16)((v >= 0xe0) & (v != 0xe2)); /* may begin a mark of another script */
    }
    w->looked = (uint16_t)s.len;
    w->stops = (uint16_t)add_up(stops);
    w->commas = (uint16_t)add_up(commas);
    w->digits = (uint16_t)add_up(digits);
    if (look_bits(wide))
        count_wide(w, s);
}

/* Does the title begin with the text, or the text with the title? */
static bool is_titled(struct str s, struct str title)
{
    size_t n = s.len < title.len ? s.len : title.len;

    if (n > 40)
        n = 40;
    return n >= 12 && str_eq_i(str_sub(s, 0, n), str_sub(title, 0, n));
}

static void sum_block(struct main_text *m, size_t at, const struct page *page, uint32_t word)
{
    const struct block *b = &m->blocks[at];
    struct main_work *w = &m->work[at];
    struct holder *h = &m->holders[b->holder];
    struct str s = str_sub(page->text, b->off, b->end);

    w->len = (uint32_t)s.len;
    w->linked = b->linked < w->len ? b->linked : w->len;
    w->word = word;
    w->topics = 0; /* the rest is filled in by the sums and scores that follow */
    count_bytes(w, s, page->text.ptr + page->text.len);
    w->last = last_of(s);
    w->prose = w->len >= PROSE_BYTES && 3 * w->linked < w->len && w->stops;
    w->titled = is_titled(s, page->title);
    h->text += w->len;
    h->linked += w->linked;
    h->prose += w->prose ? w->len : 0;
    h->end = (uint32_t)at + 1;
}

static void sum_holders(struct main_text *m)
{
    for (size_t i = m->nholders; i-- > 1;) {
        const struct holder *h = &m->holders[i];
        struct holder *up = &m->holders[h->parent];

        up->text += h->text;
        up->linked += h->linked;
        up->prose += h->prose;
        if (h->end > up->end)
            up->end = h->end;
    }
}

/* Finds the innermost holders with 90, 75 and 55 percent of the prose. More than 50 percent can be
 * in one child of a holder only, so the innermost one is the last in the list that has so much. */
static void find_cores(struct main_text *m)
{
    static const unsigned percents[] = {90, 75, 55};
    uint32_t i = (uint32_t)m->nholders - 1;

    for (unsigned k = ARRAY_LEN(percents); k-- > 0; m->page.core[k] = i)
        while (i > 0 && (uint64_t)m->holders[i].prose * 100 < (uint64_t)m->page.prose * percents[k])
            i--;
}

static uint32_t key_of(const struct main_text *m, const struct block *b)
{
    const struct holder *h = &m->holders[b->holder];

    return (h->like * UINT32_C(31) ^ m->holders[h->parent].like) | 1;
}

static void sum_groups(struct main_text *m)
{
    unsigned mask = MAIN_SLOTS - 1;

    memset(m->group_slots, 0, MAIN_SLOTS * sizeof *m->group_slots);
    m->ngroups = 0;
    for (size_t i = 0; i < m->count; i++) {
        uint32_t key = key_of(m, &m->blocks[i]), slot = (key * UINT32_C(0x9e3779b1)) >> 16 & mask;
        struct main_group *g;

        while (m->group_slots[slot] && m->groups[m->group_slots[slot] - 1].key != key &&
               m->ngroups < MAIN_SLOTS / 2)
            slot = (slot + 1) & mask;
        if (m->group_slots[slot] == 0) {
            m->groups[m->ngroups++] = (struct main_group){.key = key};
            m->group_slots[slot] = (uint16_t)m->ngroups;
        }
        g = &m->groups[m->group_slots[slot] - 1];
        m->work[i].twins = (uint32_t)(g - m->groups);
        g->count++;
        g->text += m->work[i].len;
        g->linked += m->work[i].linked;
    }
}

#define HEADED_MAX 12 /* blocks to which a heading applies */

static void find_topics(struct main_text *m, uint32_t at, const struct page *page)
{
    struct main_work *w = &m->work[at];
    const struct word *words = page->words + w->word, *end = page->words + page->nwords;
    unsigned n = 0;

    if (w->topics)
        return;
    while (words + n < end && n < TOPIC_WORDS && words[n].off < m->blocks[at].end)
        n++;
    w->topics = main_topics_of(&m->parts, page->text, words, n) | MAIN_TOPICS_KNOWN;
}

/* Finds the headings of a block: the heading before it, and the first block of its
 * holder's parent. */
static void find_heads(struct main_text *m, const struct page *page)
{
    uint32_t last = UINT32_MAX;

    for (uint32_t i = 0; i < m->count; i++) {
        const struct holder *h = &m->holders[m->blocks[i].holder];

        m->work[i].heading = last != UINT32_MAX && i - last <= HEADED_MAX ? last : UINT32_MAX;
        if (h->tag >= TAG_H1 && h->tag <= TAG_H6) {
            last = i;
            find_topics(m, i, page);
        }
        find_topics(m, m->holders[h->parent].first, page);
    }
}

static void sum_page(struct main_text *m)
{
    struct main_page *p = &m->page;

    *p = (struct main_page){.head = UINT32_MAX,
                            .first_prose = UINT32_MAX,
                            .prose = m->holders[0].prose,
                            .text = m->holders[0].text};
    for (uint32_t i = 0; i < m->count; i++) {
        if (p->head == UINT32_MAX && m->holders[m->blocks[i].holder].tag == TAG_H1)
            p->head = i;
        if (m->work[i].prose) {
            if (p->first_prose == UINT32_MAX)
                p->first_prose = i;
            p->last_prose = i;
        }
    }
    for (uint32_t i = 0; i < m->count && p->head == UINT32_MAX; i++)
        if (m->work[i].titled)
            p->head = i;
    find_cores(m);
}

/* Finds the parts named between a holder and the core of the page, without the core's own. */
static void find_below(struct main_text *m)
{
    const struct holder *core = &m->holders[m->page.core[1]];

    for (size_t i = 0; i < m->nholders; i++) {
        struct holder *h = &m->holders[i];
        bool around = h->first <= core->first && h->end >= core->end && h->depth <= core->depth;

        h->below = around ? 0 : m->holders[h->parent].below | h->parts;
    }
}

void main_sum(struct main_text *m, const struct page *page)
{
    uint32_t word = 0;

    if (m->work_cap < m->count) {
        m->work_cap = m->blocks_cap;
        m->work = mem_resize(m->work, m->work_cap, sizeof *m->work);
    }
    if (m->groups == NULL) {
        m->groups = mem_resize(NULL, MAIN_SLOTS, sizeof *m->groups);
        m->group_slots = mem_resize(NULL, MAIN_SLOTS, sizeof *m->group_slots);
    }
    for (size_t i = 0; i < m->nholders; i++) {
        struct holder *h = &m->holders[i];

        h->text = h->linked = h->prose = h->end = 0;
    }
    for (size_t i = 0; i < m->count; i++) {
        while (word < page->nwords && page->words[word].off < m->blocks[i].off)
            word++;
        sum_block(m, i, page, word);
    }
    sum_holders(m);
    sum_groups(m);
    sum_page(m);
    find_heads(m, page);
    find_below(m);
}
