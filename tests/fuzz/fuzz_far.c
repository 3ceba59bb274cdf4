/* fuzz_far.c - answers of nodes to a dashboard over all of them: anything may be in them. Each input is
 * taken as an answer, and as the answer inside of one beside that of a decent node, by all that make
 * one of several. SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "dash/dash_int.h"
#include "dash/far/far_int.h"

#include <stdlib.h>

#define DECENT                                                                                   \
    "{\"pages\":7,\"state\":\"running\",\"total\":1,\"more\":2,\"at\":[1,2,3],\"born\":[1,2,3]," \
    "\"bins\":[1,2],\"rows\":[[1,0,\"Ada\",1.5,3,1,null],[2,1,\"Bea\",0,1,2,3,\"starved\"],"     \
    "{\"id\":4,\"url\":\"http://a/"                                                              \
    "\",\"p\":0.5,\"at\":\"2026\"}],\"hosts\":[{\"name\":\"a\",\"pages\":3}],"                   \
    "\"links\":[{\"from\":\"a\",\"to\":\"b\",\"n\":2}],\"groups\":[],\"describe\":{\"R\":0.5}}"

static void replies_make(struct far_replies *all, struct str bytes)
{
    json_t *both[] = {json_loads(DECENT, 0, NULL),
                      json_loadb(bytes.ptr, bytes.len, JSON_DECODE_ANY, NULL)};

    for (size_t i = 0; i < ARRAY_LEN(both); i++)
        if (both[i]) {
            MEM_GROW(all->items, all->count, &all->cap);
            all->items[all->count++] = (struct far_reply){i, both[i]};
        }
}

static json_t *merge_pages(struct far_replies *all)
{
    return far_merge_pages(all, STR("n=5\nq=a\n"));
}
static json_t *merge_newest(struct far_replies *all)
{
    return far_merge_pages(all, STR("offset=1\nn=5\nsort=time\n"));
}
static json_t *merge_samples(struct far_replies *all)
{
    return far_merge_samples(all, 20);
}
static json_t *merge_activity(struct far_replies *all)
{
    return far_merge_activity(all, 5);
}
static json_t *merge_talks(struct far_replies *all)
{
    return far_merge_talks(all, 5);
}
static json_t *merge_messages(struct far_replies *all)
{
    return far_merge_messages(all, 5);
}
static json_t *merge_map(struct far_replies *all)
{
    return far_merge_map(all, 5);
}
static json_t *merge_card(struct far_replies *all)
{
    return far_merge_card(all, 5);
}

static json_t *merge_family(struct far_replies *all)
{
    struct far_family *m = far_family_new(all);
    json_t *lives = far_family_lives(m, 100), *card = json_object(), *known = json_object();
    size_t rows = json_array_size(json_object_get(lives, "rows"));
    struct far_branch some[3];
    uint64_t more;
    size_t n = far_family_branches(m, 0, 5, 3, some, &more);

    if (rows != (m->count < 100 ? m->count : 100)) /* a circle would hide some */
        abort();
    for (size_t i = 0; i < all->count; i++)
        far_take_agents(known, &all->items[i]);
    for (size_t i = 0; i < n; i++) {
        json_decref(far_agent_row(&m->members[some[i].place], known));
        far_family_relatives(m, card, m->members[some[i].place].id, 3);
    }
    json_decref(card);
    json_decref(known);
    far_family_free(m);
    return lives;
}

static void merge_all(struct str bytes)
{
    static json_t *(*const merges[])(struct far_replies *) = {
        merge_pages,    merge_newest,      merge_samples,   far_merge_histogram, merge_activity,
        merge_talks,    merge_messages,    far_merge_paths, merge_map,           far_merge_host,
        far_merge_crew, far_merge_lattice, merge_card,      merge_family,
    };

    for (size_t i = 0; i < ARRAY_LEN(merges); i++) {
        struct far_replies all = {0};
        json_t *j;
        char *text;

        replies_make(&all, bytes);
        j = merges[i](&all);
        text = j ? json_dumps(j, JSON_COMPACT) : NULL;
        if (j && text == NULL)
            abort();
        free(text);
        json_decref(j);
        far_replies_clear(&all);
    }
}

static void take_overview(struct str bytes)
{
    struct far *f = MEM_NEW(struct far);
    struct far_replies all = {0};

    book_init(&f->book);
    if (book_join(&f->book, 1, 0) != ST_OK || book_join(&f->book, 2, 0) != ST_OK)
        abort();
    f->name = (char *)"x";
    far_replies_add(&all, &f->book, bytes);
    far_replies_add(&all, &f->book, STR("{\"node\":\"0000000000000001\",\"answer\":" DECENT "}"));
    far_replies_clear(&all);
    replies_make(&all, bytes);
    for (size_t i = 0; i < all.count; i++)
        if (json_is_object(all.items[i].answer))
            f->nodes[i].overview = all.items[i].answer;
    f->overview = far_merge_overview(f);
    json_decref(f->overview);
    far_replies_clear(&all);
    book_clear(&f->book);
    free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};

    if (size > LIMIT_ANSWER)
        return 0;
    merge_all(bytes);
    take_overview(bytes);
    return 0;
}
