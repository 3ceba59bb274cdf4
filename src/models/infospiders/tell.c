/* tell.c - a spider for people: its words, what its net makes of them, and
 * how it chooses.
 *
 *     weight of k = out(k alone, once, beside the link) - out(nothing)
 *
 * So it is what the word adds to the net's guess about a link: above 0 it attracts.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

#include "agent/tell.h"

static size_t weigh_words(const struct spider *s, struct told_word *ret, double *ret_dark)
{
    float in[NET_INPUTS] = {0};
    uint32_t n = s->net.inputs < NET_INPUTS ? s->net.inputs : NET_INPUTS;

    *ret_dark = net_output(&s->net, in);
    for (uint32_t i = 0; i < n; i++) {
        in[i] = 1;
        ret[i] = (struct told_word){s->words[i], net_output(&s->net, in) - *ret_dark};
        in[i] = 0;
    }
    return n;
}

void spiders_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct spider *s = spider_find(m, agent);
    struct told_word words[NET_INPUTS];
    double dark;
    size_t n;

    if (s == NULL)
        return;
    n = weigh_words(s, words, &dark);
    tell_words(m, j, "what the word beside a link adds to the net's guess of its worth", words, n);
    json_open_array(j, "facts");
    tell_number(j, "keywords", "words it knows", (double)n);
    tell_number(j, "guess", "its guess of a link with none of them", dark);
    tell_number(j, "beta", "how sharply it prefers better links", s->beta);
    if (options_of(m)->variant == VARIANT_FRONTIER)
        tell_number(j, "links", "links it keeps for later", (double)s->bag.count);
    if (s->by_link && s->to)
        tell_number(j, "estimate", "its guess of the link it follows", (double)s->estimate);
    tell_url(m, j, "to", s->under_way ? "on its way to" : "wants to go to", s->to);
    json_close(j);
}
