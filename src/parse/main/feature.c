/* feature.c - the features of a block for the first model.
 *
 * In: struct main_text after main_sum(). Out: the numbers of the features that are
 * on. All features are binary; quantities are cut into ranges, so that a linear model
 * can be non-linear in them.
 *
 * Workload: 60 features a block. SPDX-License-Identifier: MIT
 */
#include "parse/main/main_int.h"

/* Returns the number of the first bound that x is below, or `n`. The bounds ascend, but all are
 * compared: a mispredicted branch costs more than a dozen comparisons. */
static inline unsigned range(uint32_t x, const uint16_t *bounds, unsigned n)
{
    unsigned below = 0;

    for (unsigned i = 0; i < n; i++)
        below += x >= bounds[i];
    return below;
}

#define RANGE(x, ...)                                     \
    range((uint32_t)(x), (const uint16_t[]){__VA_ARGS__}, \
          sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

static unsigned percent(uint64_t part, uint64_t whole)
{
    if (whole == 0)
        return 0;
    if (part <= UINT32_MAX / 100 && whole <= UINT32_MAX) /* a division of 32 bits takes less time */
        return (uint32_t)part * 100 / (uint32_t)whole;
    return (unsigned)(part * 100 / whole);
}

static unsigned length_of(uint32_t len)
{
    return RANGE(len, 8, 16, 28, 45, 70, 100, 150, 220, 350, 600, 1200);
}

/* Ranges of percent are needed so often that they are looked up in a table. */
static unsigned links_of(uint32_t linked, uint32_t len)
{
    static const uint8_t of_percent[101] = {
        [1 ... 9] = 1, [10 ... 24] = 2, [25 ... 49] = 3, [50 ... 79] = 4, [80 ... 98] = 5, 6, 6};

    return of_percent[percent(linked, len)];
}

static bool is_heading(const struct main_text *m, size_t at)
{
    unsigned tag = m->holders[m->blocks[at].holder].tag;

    return tag >= TAG_H1 && tag <= TAG_H6;
}

/* One of 12 classes: four of length, times three of links (none, some, most). */
static unsigned shape_of(const struct main_work *w)
{
    return RANGE(w->len, 30, 80, 180) * 3 + RANGE(percent(w->linked, w->len), 1, 50);
}

static unsigned last_of(uint8_t c)
{
    switch (c) {
    case '.':
    case '!':
    case '?':
        return 0;
    case ':':
        return 1;
    case '"':
    case '\'':
    case ')':
        return 2;
    case ',':
    case ';':
    case '-':
        return 3;
    }
    return c >= 0x80 ? 4 : 5;
}

static unsigned around_of(const struct main_text *m, size_t at, bool is_there)
{
    const struct main_work *w = &m->work[at];

    if (!is_there)
        return 15;
    return RANGE(w->len, 20, 60, 150) * 3 + (is_heading(m, at) ? 2 : 2 * w->linked > w->len);
}

/* Where features go: into a list, or only their weights into a sum. All functions below are
 * compiled for both, because `weights` is known where they are called. */
struct feature_list {
    uint16_t *items;
    unsigned count;
    const int16_t *weights; /* NULL: a list is wanted */
    int32_t sum;
};

#define INLINE static inline __attribute__((always_inline))

INLINE void put(struct feature_list *l, unsigned feature)
{
    if (l->weights)
        l->sum += l->weights[feature];
    else
        l->items[l->count++] = (uint16_t)feature;
}

#define BITS_MAX 12        /* of one set of parts */
#define UNKNOWN  INT32_MIN /* no sum of weights */

INLINE void put_bits(struct feature_list *l, unsigned base, uint64_t bits)
{
    for (unsigned n = 0; bits && n < BITS_MAX; n++, bits &= bits - 1)
        put(l, base + (unsigned)__builtin_ctzll(bits));
}

INLINE void put_text(struct feature_list *l, const struct main_text *m, size_t at)
{
    const struct main_work *w = &m->work[at];
    unsigned tag = m->holders[m->blocks[at].holder].tag;

    put(l, MAIN_BIAS);
    put(l, MAIN_LENGTH + length_of(w->len));
    put(l, MAIN_LINKS + links_of(w->linked, w->len));
    put(l, MAIN_STOPS + RANGE(w->stops, 1, 2, 3, 6, 10));
    put(l, MAIN_COMMAS + RANGE(w->commas, 1, 2, 4, 8));
    put(l, MAIN_LAST + last_of(w->last));
    put(l, MAIN_DIGITS + RANGE(percent(w->digits, w->looked), 1, 5, 15, 30));
    if (m->blocks[at].inner)
        put(l, MAIN_INLINE + m->blocks[at].inner);
    if (w->titled)
        put(l, MAIN_TITLED + (tag == TAG_H1 ? 0 : is_heading(m, at) ? 1 : 2));
}

INLINE void put_place(struct feature_list *l, const struct main_text *m, size_t at)
{
    const struct main_page *p = &m->page;
    const struct main_work *w = &m->work[at];
    unsigned sides[3];

    put(l, MAIN_PLACE + (unsigned)(at * 10 / m->count));
    for (unsigned i = 0; i < 3; i++) {
        const struct holder *core = &m->holders[p->core[i]];

        sides[i] = at < core->first ? 0 : at < core->end ? 1 : 2;
        put(l, MAIN_CORE + i * 3 + sides[i]);
    }
    put(l, MAIN_CORE_SHAPE + sides[1] * 12 + shape_of(w));
    if (p->first_prose <= p->last_prose) {
        if (at > p->last_prose)
            put(l, MAIN_LAST_PROSE + RANGE(at - p->last_prose, 2, 3, 5, 8, 15, 30));
        if (at < p->first_prose)
            put(l, MAIN_FIRST_PROSE + RANGE(p->first_prose - at, 2, 3, 5, 8, 15, 30));
    } else {
        put(l, MAIN_LAST_PROSE + 7);
    }
    if (p->head == UINT32_MAX)
        put(l, MAIN_HEAD);
    else if (at < p->head)
        put(l, MAIN_HEAD + 1);
    else
        put(l, MAIN_HEAD + 2 + RANGE(at - p->head, 1, 2, 4, 8, 20));
}

/* How much of the page's prose is in a holder? */
INLINE unsigned share_of(const struct main_text *m, const struct holder *h)
{
    static const uint8_t of_percent[101] = {[1 ... 4] = 1,   [5 ... 14] = 2,  [15 ... 39] = 3,
                                            [40 ... 69] = 4, [70 ... 89] = 5, [90 ... 100] = 6};

    return of_percent[percent(h->prose, m->page.prose)];
}

INLINE void put_holder(struct feature_list *l, const struct main_text *m, size_t at)
{
    const struct holder *h = &m->holders[m->blocks[at].holder];

    put(l, MAIN_TAG + (h->tag < MAIN_TAGS ? h->tag : 0));
    put(l, MAIN_SHARE1 + share_of(m, h));
    put_bits(l, MAIN_NEAR, h->parts | m->blocks[at].parts);
    put_bits(l, MAIN_BELOW, h->below);
}

/* The features that are the same for all blocks whose holders have the parent `up`. */
INLINE void put_parent(struct feature_list *l, const struct main_text *m, const struct holder *up)
{
    const struct holder *over = &m->holders[up->parent];

    put(l, MAIN_PARENT + (up->tag < MAIN_TAGS ? up->tag : 0));
    put(l, MAIN_SHARE2 + share_of(m, up));
    put(l, MAIN_UP_LINKS + links_of(up->linked, up->text));
    put(l, MAIN_OVER_LINKS + links_of(over->linked, over->text));
    put_bits(l, MAIN_UP_PARTS, up->parts);
    put_bits(l, MAIN_OPENED, m->work[up->first].topics & ~MAIN_TOPICS_KNOWN);
}

INLINE void put_others(struct feature_list *l, const struct main_text *m, size_t at)
{
    const struct main_group *g = &m->groups[m->work[at].twins];
    bool behind = at + 1 < m->count;

    if (m->work[at].heading != UINT32_MAX)
        put_bits(l, MAIN_HEADED, m->work[m->work[at].heading].topics & ~MAIN_TOPICS_KNOWN);
    put(l, MAIN_BEFORE + around_of(m, at ? at - 1 : 0, at > 0));
    put(l, MAIN_AFTER + around_of(m, behind ? at + 1 : at, behind));
    put(l, MAIN_TWINS + RANGE(g->count, 2, 4, 10) * 6 + RANGE(g->text / g->count, 30, 80, 180) +
               (2 * g->linked > g->text ? 2 : 0));
}

INLINE void put_all(struct feature_list *l, const struct main_text *m, size_t at)
{
    put_text(l, m, at);
    put_place(l, m, at);
    put_holder(l, m, at);
    put_others(l, m, at);
}

static struct holder *parent_of(const struct main_text *m, size_t at)
{
    return &m->holders[m->holders[m->blocks[at].holder].parent];
}

unsigned main_features(const struct main_text *m, size_t at, uint16_t ret[MAIN_ACTIVE])
{
    struct feature_list l = {.items = ret};

    put_all(&l, m, at);
    put_parent(&l, m, parent_of(m, at));
    return l.count;
}

void main_features_sums(struct main_text *m, const int16_t weights[MAIN_FEATURES])
{
    for (size_t i = 0; i < m->nholders; i++)
        m->holders[i].lends = UNKNOWN;
    for (size_t i = 0; i < m->count; i++) {
        struct feature_list l = {.weights = weights}, lent = {.weights = weights};
        struct holder *up = parent_of(m, i);

        if (up->lends == UNKNOWN) {
            put_parent(&lent, m, up);
            up->lends = lent.sum;
        }
        put_all(&l, m, i);
        m->work[i].features = l.sum + up->lends;
    }
}
