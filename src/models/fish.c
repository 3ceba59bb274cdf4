/* fish.c - Fish-Search: a school that breeds where it finds food.
 *
 * In: a page and its links. Out: the first of a list with three places to insert:
 *
 *     | children of relevant pages | of irrelevant ones | all others |
 *     B                            M                               E
 *
 * Of a relevant page 1.5 * width children enter at B, of an irrelevant one width
 * children at M, each page's as one group in front of what is there; all others at
 * E, behind everything (seeds stand in front of all). Children of a relevant page get `depth`, those of an
 * irrelevant one the page's depth - 1; a page of depth 0 has no children that
 * count (`zero`). Which children count: links to other hosts first, then document
 * order (`prefer`). A host that is slow on the average has depth 0 (`slow`).
 *
 * form=score (Hersovici): the potential 1, 0.5 or 0 instead of the place; equal
 * ones in order of arrival.
 *
 * A child already listed keeps the larger depth, and joins its potentials by
 * `parents`; it moves when they belong to another place.
 *
 * Source: De Bra & Post 1994, and De Bra's own description of the algorithm.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"
#include "agent/url_notes.h"
#include "base/hash.h"
#include "base/map.h"

#include <math.h>

enum match { MATCH_WORDS, MATCH_RELEVANCE };
enum zero { ZERO_END, ZERO_DISCARD, ZERO_DISCARD_ALL };
enum fish_form { FORM_LIST, FORM_SCORE };
enum prefer { PREFER_HOSTS, PREFER_ORDER };
enum fish_place { PLACE_END, PLACE_MIDDLE, PLACE_BEGIN, PLACE_SEEDS };

#define PLACE_STEP 0x1p44 /* groups that fit between two places */

struct fish_options {
    int64_t depth, width;
    double boost;
    int match;
    double threshold;
    int zero, form, prefer;
    int64_t slow;
    int parents;
    int64_t buffer;
};

#define AT(field) .offset = offsetof(struct fish_options, field)

static const struct option fish_option_table[] = {
    {INT_OPTION("depth", depth, "N", "3", 0, 60000),
     .help = "links that may be followed from a relevant page without meeting another",
     .source = "De Bra leaves it to the user; 3 is ours", .unverified = true},
    {INT_OPTION("width", width, "N", "5", 0, 1e6), .help = "children of a page that count",
     .source = "De Bra leaves it to the user; 5 is ours", .unverified = true},
    {REAL_OPTION("boost", boost, "X", "1.5", 0, 1000),
     .help = "times as many children of a relevant page count (rounded down)",
     .source = "De Bra: The Fish-Search Navigation Algorithm"},
    {CHOICE_OPTION("match", match, "words|relevance", "words"),
     .help = "a page is relevant: a word of the topic occurs; or its relevance passes threshold",
     .source = "De Bra: query words or a regular expression; relevance is ours"},
    {REAL_OPTION("threshold", threshold, "R", "0.05", 0, 1),
     .help = "with match=relevance: more than this is relevant", .source = "ours: as --relevant"},
    {CHOICE_OPTION("zero", zero, "end|discard|discard-all", "end"),
     .help = "children of a page of depth 0: at the end; discarded unless it is relevant; "
             "discarded",
     .source = "De Bra's description; the paper of 1994; Hersovici et al. 1998 (from memory)"},
    {CHOICE_OPTION("form", form, "list|score", "list"),
     .help = "list: a list with three places to insert; score: potentials 1, 0.5 and 0",
     .source = "De Bra; Hersovici et al. 1998"},
    {CHOICE_OPTION("prefer", prefer, "hosts|order", "hosts"),
     .help = "which children count: first those on other hosts; or the first of the page",
     .source = "De Bra & Post 1994; Hersovici et al. 1998"},
    {DURATION_OPTION("slow", slow, "TIME", "10s", 0, 86400),
     .help = "a host whose pages take longer than this on the average has depth 0 (0: none)",
     .source = "De Bra gives the rule, not the value", .unverified = true},
    GREEDY_PARENTS(parents),
    GREEDY_BUFFER(buffer),
    {.name = NULL},
};

/* Kept for a URL until its page arrives. */
struct fish_note {
    double potential; /* joined */
    uint32_t parents; /* pages that gave it a potential */
    uint32_t depth;
    uint32_t place; /* enum fish_place; form=score: not used */
    uint32_t host;  /* hash of its name */
    uint32_t group; /* the last page that named it */
    float given;    /* the potential of that page */
};

static const struct field note_fields[] = {
    FIELD(F64, struct fish_note, potential), FIELD(U32, struct fish_note, parents),
    FIELD(U32, struct fish_note, depth),     FIELD(U32, struct fish_note, place),
    FIELD(U32, struct fish_note, host),      FIELD(U32, struct fish_note, group),
    FIELD(WIDE, struct fish_note, given),    FIELD_END,
};

/* How long the pages of a host took. */
struct fish_pace {
    uint32_t host;
    uint32_t pages;
    double total; /* us */
};

static const struct field pace_fields[] = {
    FIELD(U32, struct fish_pace, host),
    FIELD(U32, struct fish_pace, pages),
    FIELD(F64, struct fish_pace, total),
    FIELD_END,
};

struct fish {
    struct greedy greedy;
    struct url_notes notes;
    struct fish_pace *paces;
    size_t npaces, paces_cap;
    struct map pace_of; /* host -> place in paces */
    uint32_t group;     /* pages perceived so far */
};

/* ---- hosts ---- */

/* A number for the host of a URL (with its port); 0 if it has none. */
static uint32_t host_of(struct str url)
{
    size_t colon = str_find_char(url, ':', 0), from = colon + 3;

    if (colon >= url.len || from >= url.len)
        return 0;
    return (uint32_t)hash_str(str_sub(url, from, str_find_char(url, '/', from))) | 1;
}

static void pace_note(struct fish *f, uint32_t host, int64_t latency)
{
    bool is_new;
    uint32_t at;

    if (host == 0)
        return;
    at = *map_at(&f->pace_of, hash_u64(host), (uint32_t)f->npaces, &is_new);
    if (is_new) {
        MEM_GROW(f->paces, f->npaces, &f->paces_cap);
        f->paces[f->npaces++] = (struct fish_pace){.host = host};
    }
    f->paces[at].pages++;
    f->paces[at].total += (double)latency;
}

static bool is_slow(const struct fish *f, const struct fish_options *o, uint32_t host)
{
    uint32_t at = o->slow > 0 ? map_get(&f->pace_of, hash_u64(host)) : MAP_NONE;

    return at != MAP_NONE && f->paces[at].total > (double)o->slow * f->paces[at].pages;
}

/* ---- the list ---- */

static struct fish *fish_of(struct model *m)
{
    const struct fish_options *o = m->options;
    struct fish *f = m->state;

    if (!f->greedy.ready) {
        url_notes_init(&f->notes, sizeof(struct fish_note), note_fields);
        map_init(&f->pace_of);
    }
    greedy_init(m, &f->greedy, o->buffer, o->form == FORM_SCORE ? o->parents : PARENTS_FIRST);
    return f;
}

static enum fish_place place_of(double potential)
{
    return potential > 0.75 ? PLACE_BEGIN : potential > 0.25 ? PLACE_MIDDLE : PLACE_END;
}

/* The key of a link's place in the list: at B and M the latest group comes first; seeds, and all
 * links at E, in order of arrival. */
static double list_key(const struct fish *f, enum fish_place place)
{
    bool by_group = place == PLACE_BEGIN || place == PLACE_MIDDLE;

    return (double)place * PLACE_STEP + (by_group ? f->group : 0);
}

static void note_join(struct fish_note *note, const struct fish_note *from, int parents)
{
    note->potential =
        parents_join((enum parents)parents, note->potential, from->potential, ++note->parents);
    note->depth = note->depth > from->depth ? note->depth : from->depth;
    if (note->place != PLACE_SEEDS)
        note->place = place_of(note->potential);
    note->group = from->group;
    note->given = from->given;
}

/* Lists a URL, or joins its note with this one. */
static void fish_list(struct model *m, struct fish *f, uint32_t url, const struct fish_note *from)
{
    const struct fish_options *o = m->options;
    bool is_new;
    struct fish_note *note = url_notes_at(&f->notes, url, &is_new);
    uint32_t before = note->place, left = 0;

    if (is_new)
        *note = *from;
    else
        note_join(note, from, o->parents);
    if (o->form == FORM_SCORE)
        left = greedy_add(m, &f->greedy, url, from->potential);
    else if (is_new || note->place != before)
        left = greedy_set(m, &f->greedy, url, list_key(f, note->place), true);
    url_notes_remove(&f->notes, left);
}

static void fish_start(struct model *m, const uint32_t *urls, size_t count)
{
    const struct fish_options *o = m->options;
    struct fish *f = fish_of(m);
    struct fish_note seed = {
        .potential = 1,
        .parents = 1,
        .depth = (uint32_t)o->depth,
        .place = PLACE_SEEDS,
        .given = 1,
    };

    greedy_begin(m, &f->greedy, "fish");
    for (size_t i = 0; i < count; i++)
        fish_list(m, f, urls[i], &seed);
}

static bool fish_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct fish *f = fish_of(m);
    double key;

    if (!greedy_take(&f->greedy, host, ret, &key))
        return false;
    ret->score = (float)((struct fish_note *)url_notes_find(&f->notes, ret->url))->potential;
    url_notes_open(&f->notes, ret);
    return true;
}

/* ---- a page ---- */

/* A page whose children are being listed. */
struct fish_children {
    struct percept *p;
    uint32_t host;  /* of the page; 0: unknown */
    uint32_t depth; /* of its children */
    size_t left;    /* children that may still count */
    float potential;
};

/* Which links a pass over a page is for. */
enum link_pass { PASS_OTHER_HOSTS, PASS_ANY, PASS_REST };

static void child_list(struct model *m, struct fish *f, struct fish_children *b, uint32_t i,
                       float potential)
{
    const struct fish_options *o = m->options;
    struct link_mark *mark = &b->p->marks[i];
    uint32_t host = host_of(b->p->body->links[i].url);
    struct fish_note child = {
        .potential = (double)potential,
        .parents = 1,
        .depth = is_slow(f, o, host) ? 0 : b->depth,
        .place = place_of((double)potential),
        .host = host,
        .group = f->group,
        .given = potential,
    };

    mark->score = potential;
    fish_list(m, f, mark->url, &child);
}

/* Was it already listed for this page? Then it gets the same mark. */
static bool is_repeated(const struct fish *f, struct link_mark *mark)
{
    const struct fish_note *note = url_notes_find(&f->notes, mark->url);

    if (note == NULL || note->group != f->group)
        return false;
    mark->score = note->given;
    return true;
}

static void children_list(struct model *m, struct fish *f, struct fish_children *b,
                          enum link_pass pass)
{
    for (uint32_t i = 0; i < b->p->body->nlinks; i++) {
        struct link_mark *mark = &b->p->marks[i];

        if (pass != PASS_REST && b->left == 0)
            return;
        if (!mark_is_open(mark) || !isnan(mark->score))
            continue;
        if (pass == PASS_OTHER_HOSTS &&
            (b->host == 0 || host_of(b->p->body->links[i].url) == b->host))
            continue;
        if (is_repeated(f, mark))
            continue;
        child_list(m, f, b, i, pass == PASS_REST ? 0 : b->potential);
        b->left -= pass != PASS_REST;
    }
}

static bool is_relevant(const struct fish_options *o, const struct percept *p)
{
    return o->match == MATCH_WORDS ? p->profile->similarity > 0
                                   : (double)p->profile->relevance > o->threshold;
}

static bool is_discarded(const struct fish_options *o, uint32_t depth, bool relevant)
{
    return depth == 0 && (o->zero == ZERO_DISCARD_ALL || (o->zero == ZERO_DISCARD && !relevant));
}

/* How many children of a page count. */
static size_t children_count(const struct fish_options *o, uint32_t depth, bool relevant)
{
    if (depth == 0 && o->zero == ZERO_END)
        return 0;
    return (size_t)((double)o->width * (relevant ? o->boost : 1));
}

static void fish_expand(struct model *m, struct fish *f, struct percept *p, uint32_t host,
                        uint32_t depth)
{
    const struct fish_options *o = m->options;
    bool relevant = is_relevant(o, p);
    struct fish_children b = {.p = p, .host = host, .potential = relevant ? 1 : 0.5f};

    for (uint32_t i = 0; i < p->body->nlinks; i++)
        p->marks[i].score = NAN;
    if (is_discarded(o, depth, relevant)) {
        for (uint32_t i = 0; i < p->body->nlinks; i++)
            greedy_refuse(m, &f->greedy, &p->marks[i]);
        return;
    }
    b.depth = relevant ? (uint32_t)o->depth : depth - (depth > 0);
    b.left = children_count(o, depth, relevant);
    if (o->prefer == PREFER_HOSTS)
        children_list(m, f, &b, PASS_OTHER_HOSTS);
    children_list(m, f, &b, PASS_ANY);
    children_list(m, f, &b, PASS_REST);
}

static void fish_perceive(struct model *m, struct percept *p)
{
    const struct fish_options *o = m->options;
    struct fish *f = fish_of(m);
    struct fish_note page = {.depth = (uint32_t)o->depth}; /* it was not requested */
    uint32_t host = host_of(p->body->base);

    if (p->choice.url)
        (void)url_notes_close(&f->notes, &p->choice, &page);
    if (host == 0)
        host = page.host;
    f->group++;
    if (p->page)
        pace_note(f, host, p->latency);
    link_queue_page(&f->greedy.queue);
    fish_expand(m, f, p, host, is_slow(f, o, host) ? 0 : page.depth);
    greedy_visited(m, &f->greedy, p);
}

static void fish_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct fish *f = fish_of(m);
    struct fish_note gone;

    (void)why;
    (void)url_notes_close(&f->notes, c, &gone);
}

/* ---- state ---- */

static void fish_save(const struct model *m, struct buf *out)
{
    const struct fish *f = m->state;

    greedy_save(&f->greedy, out);
    url_notes_save(&f->notes, out);
    buf_put_u32(out, f->group);
    fields_save_all(pace_fields, f->paces, f->npaces, sizeof *f->paces, out);
}

static enum status paces_load(struct fish *f, struct cursor *from)
{
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        struct fish_pace pace = {0};

        fields_load(pace_fields, &pace, from);
        if (from->bad)
            break;
        MEM_GROW(f->paces, f->npaces, &f->paces_cap);
        map_set(&f->pace_of, hash_u64(pace.host), (uint32_t)f->npaces);
        f->paces[f->npaces++] = pace;
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved paces of hosts are cut") : ST_OK;
}

static enum status fish_load(struct model *m, struct str state)
{
    struct fish *f = fish_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status st = greedy_load(&f->greedy, &c);

    if (st == ST_OK)
        st = url_notes_load(&f->notes, &c);
    f->group = cursor_u32(&c);
    return st == ST_OK ? paces_load(f, &c) : st;
}

static void fish_finish(struct model *m)
{
    struct fish *f = m->state;

    greedy_clear(&f->greedy);
    url_notes_clear(&f->notes);
    free(f->paces);
    map_free(&f->pace_of);
}

const struct model_ops model_fish = {
    .name = "fish",
    .summary = "Fish-Search: links of relevant pages first, dry directions die out",
    .advice = "For study: the first focused crawler, which finds little by today's measure.",
    .common = "depth width match threshold",
    .source = "De Bra & Post: Information retrieval in the World-Wide Web (1994)",
    .options = fish_option_table,
    .options_size = sizeof(struct fish_options),
    .state_size = sizeof(struct fish),
    .start = fish_start,
    .late = &greedy_late,
    .parts = &greedy_parts,
    .next = fish_next,
    .perceive = fish_perceive,
    .failed = fish_failed,
    .save = fish_save,
    .load = fish_load,
    .describe = greedy_describe_model,
    .finish = fish_finish,
};
