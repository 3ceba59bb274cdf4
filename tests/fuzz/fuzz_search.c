/* Any bytes as the answer of a search engine, and the words learned from it.
 * SPDX-License-Identifier: MIT */
#include "crawl/start/search.h"
#include "text/topic.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct search_hits hits = {.most = 20};
    struct text_list words = {0};
    struct topic *t = NULL;

    search_read((struct str){(const char *)data, size}, "http://engine.example/", "", &hits);
    if (hits.count > 20 || topic_from_words(STR("coral reefs"), STR("en"), &t) != ST_OK)
        abort();
    search_learn(t, &hits, 5, &words);
    if (words.count > 5)
        abort();
    topic_free(t);
    text_list_free(&words);
    search_hits_free(&hits);
    return 0;
}
