/* frame.h - what stands around the text of a generated page.
 *
 * Real sites put a menu, a notice about cookies, a list of what others read and a footer around
 * each of their pages. Here too: what a host puts there is drawn from the number of the host, so
 * that it is the same on all of its pages, and hosts differ. A third of them say by their elements
 * what is what (nav, aside, footer, main), a third by the names of classes, and a third not at all.
 *
 * The option `menus` is the share of hosts that have a frame. Its links are real ones: they stand
 * beside those of the graph.
 */
#pragma once

#include "sim/make/site.h"

bool frame_is_there(const struct site *s, uint32_t host);

/* The menu leads to the first pages of the host, which are its sections. */
void frame_menu(const struct site *s, uint32_t host, struct buf *out);
void frame_notice(const struct site *s, uint32_t host, struct buf *out);

/* The elements around what the page is about. */
struct frame_main {
    const char *open, *text_end, *close;
};

struct frame_main frame_main(const struct site *s, uint32_t host);

/* Pages that others read, of this host and elsewhere. */
void frame_aside(const struct site *s, uint32_t host, struct buf *out);
void frame_footer(const struct site *s, uint32_t host, struct buf *out);
