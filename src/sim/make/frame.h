/* frame.h - menus, notices and footers around the text of a generated page.
 *
 * Real sites put a menu, a notice about cookies, a list of popular pages and a footer around each
 * of their pages. So do generated hosts: the frame of a host is drawn from the number of the host,
 * so that it is the same on all of its pages and differs between hosts. A third of them mark the
 * parts with elements (nav, aside, footer, main), a third with class names, and a third not at all.
 *
 * The option `menus` is the share of hosts that have a frame. Its links are real links, in addition
 * to those of the graph.
 */
#pragma once

#include "sim/make/site.h"

bool frame_is_there(const struct site *s, uint32_t host);

/* The menu leads to the first pages of the host, which are its sections. */
void frame_menu(const struct site *s, uint32_t host, struct buf *out);
void frame_notice(const struct site *s, uint32_t host, struct buf *out);

/* The elements around the main text of a page. */
struct frame_main {
    const char *open, *text_end, *close;
};

struct frame_main frame_main(const struct site *s, uint32_t host);

/* Appends a list of popular pages, of this host and of others. */
void frame_aside(const struct site *s, uint32_t host, struct buf *out);
void frame_footer(const struct site *s, uint32_t host, struct buf *out);
