/* robots_match.c - which rule of a robots.txt decides about a path.
 *
 * In: the rules of a host (robots_rules.c) and a path. Out: the strongest rule
 * that matches it. Two ways, and the stronger of their answers:
 *
 *   literals    are sorted by text, and each knows the longest other one that
 *               begins it. The last that is not behind the path, or one of those
 *               that begin it, is the longest that begins the path; it is the
 *               strongest too, since weaker ones inside stronger were left out.
 *   with stars  all at once, by a machine whose states are bits: one for each byte
 *               of each pattern ("matched up to here") and one before its first.
 *               A byte of the path moves all states that await it one further;
 *               states before a star, and last ones, stay.
 *
 * Workload: asked for every URL of a host; some 10 to 100 rules, a few of them with
 * a star: a word or ten of states. A path of n bytes costs n words of states at
 * most LIMIT_ROBOTS_STATES / 64 times, whatever the patterns, and a binary search
 * in which hardly a byte is compared twice.
 *
 * Source: R. Baeza-Yates, G. Gonnet, A new approach to text searching, CACM 35
 * (1992): Shift-And; stars as in G. Navarro, M. Raffinot, Flexible Pattern Matching
 * in Strings (2002), 4.1. SPDX-License-Identifier: MIT
 */
#include "parse/robots/robots_int.h"

#include "base/mem.h"

#define WORD     64
#define ALPHABET 128 /* bytes of a path in normal form */

/* It follows the saved part of the block. Row 0 is for bytes that are in no pattern:
 * they reach no state. */
struct machine {
    uint8_t row_of[ALPHABET];
    uint64_t sets[]; /* nwords each: the start states, those that stay, then the rows */
};

static size_t machine_at(const struct robots *r)
{
    return (r->saved + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
}

static const struct machine *machine_of(const struct robots *r)
{
    return (const struct machine *)(const void *)((const char *)r + machine_at(r));
}

/* ---- making it ------------------------------------------------------------------ */

size_t machine_states(struct str text)
{
    size_t n = 1;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] != '*';
    return n;
}

static unsigned char letter(char c)
{
    return (unsigned char)c % ALPHABET;
}

/* Gives each byte of a text its row. */
static void rows_add(struct machine *m, uint8_t *nrows, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '*' && m->row_of[letter(text.ptr[i])] == 0)
            m->row_of[letter(text.ptr[i])] = ++*nrows;
}

static void set_add(uint64_t *set, uint32_t state)
{
    set[state / WORD] |= (uint64_t)1 << state % WORD;
}

/* Lays out the states of a text from `state` on; returns the last one. */
static uint32_t machine_lay(struct machine *m, size_t nwords, struct str text, uint32_t state)
{
    uint64_t *start = m->sets, *stay = start + nwords, *rows = stay + nwords;

    set_add(start, state);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '*')
            set_add(stay, state);
        else
            set_add(rows + m->row_of[letter(text.ptr[i])] * nwords, ++state);
    set_add(stay, state);
    return state;
}

struct robots *machine_add(struct robots *r)
{
    struct machine letters = {{0}}, *m;
    size_t states = 0, at = machine_at(r), size = at;
    uint32_t state = 0;
    uint8_t nrows = 0;

    for (uint32_t i = 0; i < r->nwild; i++) {
        struct str text = rule_text(r, &r->rules[r->nliterals + i]);

        states += machine_states(text);
        rows_add(&letters, &nrows, text);
    }
    r->nwords = (uint32_t)((states + WORD - 1) / WORD);
    if (r->nwild)
        size += sizeof letters + (nrows + (size_t)3) * r->nwords * sizeof *m->sets;
    r = mem_resize(r, size, 1);
    r->size = (uint32_t)size;
    if (r->nwild == 0)
        return r;
    m = (struct machine *)(void *)((char *)r + at);
    memset(m, 0, size - at);
    memcpy(m->row_of, letters.row_of, sizeof m->row_of);
    for (struct rule *rule = r->rules + r->nliterals, *end = rule + r->nwild; rule < end; rule++) {
        rule->link = machine_lay(m, r->nwords, rule_text(r, rule), state);
        state = rule->link + 1;
    }
    return r;
}

/* ---- asking --------------------------------------------------------------------- */

/* Moves all states by one step. No byte reaches the first state of a pattern, so the last state of
 * the pattern before never moves into it. */
static void states_step(uint64_t *now, const uint64_t *reached, const uint64_t *stay, size_t nwords)
{
    for (size_t w = nwords - 1; w > 0; w--)
        now[w] = (((now[w] << 1) | (now[w - 1] >> (WORD - 1))) & reached[w]) | (now[w] & stay[w]);
    now[0] = ((now[0] << 1) & reached[0]) | (now[0] & stay[0]);
}

static const struct rule *wild_find(const struct robots *r, struct str path, uint64_t *steps)
{
    const struct rule *rule = r->rules + r->nliterals, *end = rule + r->nwild;
    uint64_t now[LIMIT_ROBOTS_STATES / WORD];
    const struct machine *m = machine_of(r);
    const uint64_t *start = m->sets, *stay, *rows;
    size_t nwords = r->nwords;

    if (rule == end)
        return NULL;
    stay = start + nwords;
    rows = stay + nwords;
    memcpy(now, start, nwords * sizeof *now);
    for (size_t i = 0; i < path.len; i++)
        states_step(now, rows + m->row_of[letter(path.ptr[i])] * nwords, stay, nwords);
    *steps += path.len * nwords + r->nwild;
    for (; rule < end; rule++)
        if (now[rule->link / WORD] >> rule->link % WORD & 1)
            return rule;
    return NULL;
}

/* Returns how many bytes two texts share at their start; `same` of them are known. */
static size_t shared(struct str a, struct str b, size_t same, uint64_t *steps)
{
    size_t most = a.len < b.len ? a.len : b.len;

    ++*steps;
    for (; same < most && a.ptr[same] == b.ptr[same]; same++)
        ++*steps;
    return same;
}

/* All texts between two neighbours of the path, in the order of texts, share with the path
 * what both neighbours share. */
static const struct rule *literal_find(const struct robots *r, struct str path, uint64_t *steps)
{
    uint32_t from = 0, to = r->nliterals;
    size_t same_below = 0, same_above = 0;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        struct str text = rule_text(r, &r->rules[middle]);
        size_t same = shared(text, path, same_below < same_above ? same_below : same_above, steps);

        if (same >= text.len ||
            (same < path.len && (unsigned char)text.ptr[same] < (unsigned char)path.ptr[same])) {
            from = middle + 1;
            same_below = same;
        } else {
            to = middle;
            same_above = same;
        }
    }
    while (from > 0 && r->rules[from - 1].len > same_below) {
        from = r->rules[from - 1].link;
        ++*steps;
    }
    return from ? &r->rules[from - 1] : NULL;
}

const struct rule *rules_decide(const struct robots *r, struct str path, uint64_t *steps)
{
    const struct rule *literal = literal_find(r, path, steps);
    const struct rule *wild = wild_find(r, path, steps);

    if (literal == NULL || wild == NULL)
        return literal ? literal : wild;
    return rule_is_stronger(wild, literal) ? wild : literal;
}
