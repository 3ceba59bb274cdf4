/* crew_describe.c - the crew for people: groups, abilities, contracts.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

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
            json_put_int(j, contract_state_name((enum contract_state)s),
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
