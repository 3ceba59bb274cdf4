/* fuzz_brood.c - a saved state of the model brood that was damaged, or made by somebody else:
 * it is refused, or the model goes on with it. SPDX-License-Identifier: MIT */
#include "agent/population.h"
#include "base/mem.h"
#include "models/models.h"
#include "text/topic.h"

#include <stdlib.h>

#define URLS 1000

static void hears_event(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static void dropped(void *engine, uint32_t url)
{
    (void)engine, (void)url;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct model_ctx ctx = {.parallel = 2, .now = 1000000, .dropped = dropped, .urls = URLS};
    struct text_list settings = {0};
    struct topic *topic = NULL;
    struct model *m = NULL;
    struct choice c;

    if (size > 65536 || topic_from_words(STR("bees"), STR("en"), &topic) != ST_OK)
        return 0;
    ctx.topic = topic;
    ctx.population = population_new(hears_event, NULL);
    (void)agent_born(ctx.population, 0, 0, "policy", 0, 1);
    text_list_add(&settings, STR("population=2"));
    if (model_new(model_find(STR("brood")), &settings, &ctx, &m) == ST_OK &&
        m->ops->load(m, (struct str){(const char *)data, size}) == ST_OK) {
        struct page body = {0};
        struct profile profile = {0};

        for (int i = 0; i < 20 && m->ops->next(m, 0, &c); i++) {
            struct percept p = {.choice = c, .page = 1, .body = &body, .profile = &profile};

            m->ops->perceive(m, &p);
        }
    }
    model_free(m);
    population_free(ctx.population);
    topic_free(topic);
    text_list_free(&settings);
    return 0;
}
