/* crew_tell.c - a member of the crew for people: what it has read, how able it is, and
 * what it has to do. SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "agent/tell.h"
#include "base/limits.h"
#include "models/crew/lexicon.h"
#include "models/crew/top_terms.h"

#include <stdio.h>

#define READ_TOLD 20 /* keywords of what it has read */

void crew_spell(const struct model *m, uint32_t term, struct buf *out)
{
    const struct crew *st = crew_of(m);
    struct str word = {"", 0};

    if (tell_spell(m, term, out))
        return;
    if (st->lexicon)
        word = lexicon_word(st->lexicon, term);
    if (word.len > 0) {
        buf_clear(out);
        buf_add_str(out, word);
    }
}

/* Words, each with the share of its pages that have it among their heaviest. */
static void tell_read(const struct model *m, const struct context *read, struct json *j)
{
    size_t pages = context_pages(read), n;
    struct term terms[READ_TOLD];
    struct buf word = BUF_INIT(KIB(1));

    if (pages == 0)
        return;
    n = context_commonest(read, READ_TOLD, terms);
    json_open_array(j, "keywords");
    for (size_t i = 0; i < n; i++) {
        buf_clear(&word);
        crew_spell(m, terms[i].id, &word);
        tell_word(j, buf_str(&word), (double)terms[i].count / (double)pages);
    }
    json_close(j);
    json_put_z(j, "weights",
               "the share of the pages read that have the word as one of their main "
               "words");
    buf_free(&word);
}

static void tell_name(struct json *j, const char *name, const char *label, uint32_t agent)
{
    char room[AGENT_NAME];

    tell_text(j, name, label, str_of(agent_name(agent, room)));
}

static void tell_group(const struct model *m, const struct crew_group *g, struct json *j)
{
    const struct crew *st = crew_of(m);
    uint32_t place = (uint32_t)(g - st->groups), desks = 0;
    uint64_t pages = 0;

    for (uint32_t i = 0; i < st->ndesks; i++)
        if (st->desks[i].group == place && !st->desks[i].gone) {
            desks++;
            pages += st->desks[i].pages;
        }
    tell_read(m, g->read, j);
    json_open_array(j, "facts");
    tell_number(j, "crawlers", "crawlers of its group", desks);
    tell_number(j, "pages", "pages they fetched", (double)pages);
    tell_number(j, "on_topic", "newest of them on topic, which the words are of",
                (double)context_pages(g->read));
    tell_number(j, "served_round", "round of its last contract", g->served_round);
    json_close(j);
}

static void tell_ability(const struct model *m, const struct desk *d, struct json *j)
{
    const struct crew_options *o = crew_options_of(m);

    tell_number(j, "threshold", "ability from which it gives links away", o->threshold);
    if (crew_of(m)->round == 0) {
        tell_text(j, "ability", "its ability", STR("not judged yet"));
        return;
    }
    tell_number(j, "ability", "its ability, as last judged", d->ability);
    tell_number(j, "S", "of it, the worth of its links", d->s);
    if (o->organisation != CREW_XIANGDAN)
        tell_number(j, "M", "and the likeness of what it read to its group's", d->m);
}

static void tell_desk(const struct model *m, const struct desk *d, bool fetches, struct json *j)
{
    tell_read(m, d->read, j);
    json_open_array(j, "facts");
    if (!fetches)
        tell_name(j, "crawler", "reads for it", d->crawler);
    else if (d->assistant != d->crawler)
        tell_name(j, "assistant", "works for", d->assistant);
    tell_ability(m, d, j);
    tell_number(j, "links", "links that wait", (double)d->queue.count);
    if (fetches) {
        tell_number(j, "pages", "pages it fetched", (double)d->pages);
        tell_number(j, "open", "visits under way", d->open);
        tell_number(j, "overlap", "pages another one had fetched", (double)d->overlap);
    }
    tell_number(j, "given", "links it gave away", (double)d->given);
    tell_number(j, "taken", "links it took over", (double)d->taken);
    json_close(j);
}

void crew_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct crew *st = crew_of(m);
    const struct desk *d = crew_desk_of(m, agent);

    if (d) {
        tell_desk(m, d, agent == d->crawler, j);
        return;
    }
    for (uint32_t g = 0; g < st->ngroups; g++)
        if (st->groups[g].facilitator == agent && st->groups[g].read)
            tell_group(m, &st->groups[g], j);
}

void crew_changed(const struct model *m, const struct desk *d)
{
    if (m->ctx->tell == NULL)
        return;
    m->ctx->tell->changed(m->ctx->engine, d->assistant);
    m->ctx->tell->changed(m->ctx->engine, crew_of(m)->groups[d->group].facilitator);
}

void crew_takes_words(const struct model *m, const struct percept *p)
{
    struct top_term top[LIMIT_LATTICE_ROW];
    size_t n = 0;

    if (m->ctx->tell)
        n = top_terms(p->profile, m->ctx->table, (size_t)crew_options_of(m)->per_page, top);
    for (size_t i = 0; i < n; i++)
        model_takes_word(m, top[i].id);
}
