/* tell.c - a member of the crew for people: what it has read, how able it is, and
 * what it has to do. SPDX-License-Identifier: MIT */
#include "agent/tell.h"
#include "base/limits.h"
#include "models/crew/context.h"
#include "models/crew/crew_int.h"
#include "models/crew/lexicon.h"

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

/* Writes words, each with the share of its pages that have it among their heaviest terms. */
static void tell_read(const struct model *m, const struct context *read, struct json *j)
{
    size_t pages = context_pages(read), n;
    struct term terms[READ_TOLD];
    LOCAL_BUF word = BUF_INIT(KIB(1));

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

/* ---- the crew as a whole: groups, abilities, contracts ---------------------------- */

static void describe_desk(const struct desk *d, struct json *j)
{
    char name[AGENT_NAME];

    json_open_object(j, NULL);
    json_put_z(j, "crawler", agent_name(d->crawler, name));
    if (d->assistant != d->crawler)
        json_put_z(j, "assistant", agent_name(d->assistant, name));
    json_put_num(j, "ability", d->ability);
    json_put_num(j, "S", d->s);
    json_put_num(j, "M", d->m);
    json_put_int(j, "links", (int64_t)d->queue.count);
    json_put_int(j, "pages", (int64_t)d->pages);
    json_put_int(j, "open", d->open);
    json_put_int(j, "given", (int64_t)d->given);
    json_put_int(j, "taken", (int64_t)d->taken);
    if (d->gone)
        json_put_bool(j, "gone", true);
    json_close(j);
}

static void describe_groups(const struct crew *st, struct json *j)
{
    char name[AGENT_NAME];

    json_open_array(j, "groups");
    for (uint32_t g = 0; g < st->ngroups; g++) {
        json_open_object(j, NULL);
        json_put_z(j, "facilitator", agent_name(st->groups[g].facilitator, name));
        json_open_array(j, "crawlers");
        for (uint32_t i = 0; i < st->ndesks; i++)
            if (st->desks[i].group == g)
                describe_desk(&st->desks[i], j);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

/* Contracts by the manager's state: those that are open, and all that ended. */
static void describe_contracts(const struct crew *st, struct json *j)
{
    uint64_t now[CONTRACT_STATES] = {0};

    for (size_t i = 0; i < st->ndeals; i++)
        if (!contract_is_final(st->deals[i]->at_manager.state))
            now[st->deals[i]->at_manager.state]++;
    json_open_object(j, "contracts");
    for (int s = 0; s < CONTRACT_STATES; s++)
        if (now[s] + st->ended[s] > 0)
            json_put_int(j, contract_state_names[(enum contract_state)s],
                         (int64_t)(now[s] + st->ended[s]));
    json_close(j);
}

void crew_describe(const struct model *m, struct json *j)
{
    const struct crew *st = crew_of(m);
    uint64_t denied = 0, overlap = 0;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        denied += st->desks[i].denied;
        overlap += st->desks[i].overlap;
    }
    json_put_num(j, "threshold", crew_options_of(m)->threshold);
    json_put_int(j, "round", st->round);
    json_put_int(j, "questions", (int64_t)st->questions);
    json_put_int(j, "denied", (int64_t)denied);
    json_put_int(j, "overlap", (int64_t)overlap);
    json_put_int(j, "links_offered", (int64_t)st->offered);
    json_put_int(j, "links_transferred", (int64_t)st->transferred);
    json_put_z(j, "wordnet", st->trouble[0] ? st->trouble : st->wordnet ? "found" : "not used");
    if (st->ready) {
        describe_contracts(st, j);
        describe_groups(st, j);
    }
}
