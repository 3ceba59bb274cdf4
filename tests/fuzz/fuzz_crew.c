/* fuzz_crew.c - messages that nobody of the crew would send: every line is sender,
 * receiver, conversation, performative, content. No link may be lost or doubled by them
 * (crew_verify() asserts it after each). SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"
#include "agent/population.h"
#include "models/models.h"
#include "base/str.h"
#include "text/topic.h"

#define LINKS 40

static void hears_event(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static void sent(void *engine, const struct message *msg)
{
    (void)engine;
    if (msg->receiver == 0)
        __builtin_trap();
}

static void dropped(void *engine, uint32_t url)
{
    (void)engine, (void)url;
}

static uint32_t number(struct str *rest)
{
    struct str word = {0};
    uint64_t n = 0;

    (void)str_cut(rest, ' ', &word);
    (void)str_to_u64(word, &n);
    return (uint32_t)n;
}

static void say(struct model *m, struct str line)
{
    struct message msg = {.sender = number(&line), .receiver = number(&line)};

    msg.conversation = number(&line);
    (void)str_cut(&line, ' ', &msg.performative);
    msg.content = line;
    m->ops->talks->receive(m, &msg);
}

/* F is 1, assistants 2, 4, 6; two of them have registered and called: conversations 4 and 5. */
static void set_scene(struct model *m)
{
    struct crew *st;
    uint32_t seeds[] = {1, 2, 3};

    m->ops->start(m, seeds, 3);
    st = crew_of(m);
    for (uint32_t i = 0; i < st->ndesks; i++)
        st->desks[i].registered = true;
    for (uint32_t i = 0; i < LINKS; i++)
        link_found(m, &st->desks[i % 2], 100 + i, .5);
    deal_call(m, &st->desks[0]);
    deal_call(m, &st->desks[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line;
    static const struct talk_calls talk = {.send = sent};
    struct model_ctx ctx = {.parallel = 2, .now = 1000000, .talk = &talk, .dropped = dropped};
    struct text_list settings = {0};
    struct topic *topic = NULL;
    struct model *m = NULL;
    struct choice c;

    if (size > 4096 || topic_from_words(STR("bees"), STR("en"), &topic) != ST_OK)
        return 0;
    ctx.topic = topic;
    ctx.population = population_new(hears_event, NULL);
    text_list_add(&settings, STR("wordnet=none"));
    text_list_add(&settings, STR("crawlers=3"));
    if (model_new(model_find(STR("crew")), &settings, &ctx, &m) == ST_OK) {
        set_scene(m);
        while (str_cut(&rest, '\n', &line)) {
            say(m, line);
            ctx.now += 1000000;
            m->ops->talks->tick(m);
            (void)m->ops->next(m, 0, &c);
        }
    }
    model_free(m);
    text_list_free(&settings);
    population_free(ctx.population);
    topic_free(topic);
    return 0;
}
