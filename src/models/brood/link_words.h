/* link_words.h - the words in and around the links found last.
 *
 * How much these words speak for the topic depends on the guide, and the guide learns. So the words
 * of the last LINK_WORDS links are kept, and are weighed again after a training. Older links keep
 * the last weight that they had: a crawl of any length needs the same memory, about 2.3 MB.
 *
 * A link is an edge of the map (web_map.h): the one with number e is at e % LINK_WORDS. A link to a
 * visited page has no words here; what is in its place belongs to an earlier link and is not read.
 */
#pragma once

#include "models/brood/web_map.h"
#include "text/guide.h"

#define LINK_WORDS      32768
#define LINK_WORDS_EACH 16 /* words of a link; further words are left out */

struct link_words {
    struct words_of_link *items; /* a ring */
    size_t first;                /* edges with a lower number have none */
    struct parts changed;        /* of the ring */
};

void link_words_clear(struct link_words *w);

/* Stores the words of the map's last edge, those of its anchor and those around it (which contain
 * the anchor), and adds their weight to that of its link. `p` is the page that the guide reads. */
void link_words_add(struct link_words *w, struct web_map *m, struct guide *g,
                    const struct profile *p, struct span anchor, struct span around);

/* Call it after a training: it weighs the words of waiting links again. */
void link_words_weigh(struct link_words *w, struct web_map *m, struct guide *g);

/* Saves and loads the figures on their own, and the words in parts: either those that changed since
 * the last call or all of them, with numbers from `first` on. Parts are loaded after the figures,
 * by their numbers from 0 on. */
void link_words_save(const struct link_words *w, struct buf *out);
enum status link_words_load(struct link_words *w, struct cursor *from) MUST_USE;
void link_words_save_parts(struct link_words *w, uint32_t first, struct buf *out);
void link_words_save_all(const struct link_words *w, uint32_t first, struct buf *out);
enum status link_words_load_part(struct link_words *w, uint32_t part, struct cursor *from) MUST_USE;
