/* fuzz_travel.c - an agent that comes from another node: its record, and its mind for each model
 * whose agents move; and what the models of other nodes say. What is taken can leave again, and the
 * books stay balanced. SPDX-License-Identifier: MIT */
#include "agent/population.h"
#include "models/models.h"
#include "text/topic.h"

#include <stdlib.h>

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static void come(const char *name, const char *option, struct str bytes)
{
    struct model_ctx ctx = {.population = population_new(ignore, NULL), .machines = 2};
    struct topic *topic = NULL;
    struct cursor from = {.rest = bytes};
    struct text_list options = {0};
    struct buf out = BUF_INIT(1 << 20);
    struct model *m = NULL;
    struct ledger l;
    uint32_t agent, url;

    if (topic_from_words(STR("reefs"), STR("en"), &topic) != ST_OK)
        abort();
    ctx.topic = topic;
    if (option)
        text_list_add(&options, str_of(option));
    if (model_new(model_find(str_of(name)), &options, &ctx, &m) != ST_OK)
        abort();
    text_list_free(&options);
    if (m->ops->moves->hear)
        m->ops->moves->hear(m, &(struct cursor){.rest = bytes});
    if (agent_come(ctx.population, 1, &from, &agent) == ST_OK) {
        struct choice c = {.agent = agent, .url = 5};

        if (m->ops->moves->unpack(m, agent, 5, cursor_str(&from)) == ST_OK) {
            (void)m->ops->next(m, 0, &c);
            if (!m->ops->moves->record(m, agent, &out, &url))
                abort();
            m->ops->moves->let_go(m, agent);
            agent_leave(ctx.population, 2, agent, &out);
        }
        l = population_ledger(ctx.population);
        if (ledger_error(&l, 0) > LEDGER_EPSILON)
            abort();
    }
    model_free(m);
    topic_free(topic);
    population_free(ctx.population);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    come("balanced", NULL, (struct str){(const char *)data, size});
    come("endogenous", "learn=0.5", (struct str){(const char *)data, size});
    come("brood", NULL, (struct str){(const char *)data, size});
    come("infospiders", NULL, (struct str){(const char *)data, size});
    return 0;
}
