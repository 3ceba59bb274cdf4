/* frame.c - menus, notices and footers around the text of a generated page.
 *
 * In: the site and a host's number. Out: HTML, made again for each page.
 *
 * Workload: a dozen titles and URLs a page. SPDX-License-Identifier: MIT
 */
#include "sim/make/frame.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "sim/make/prose.h"

#define MENU_LEAST 3 /* links of a menu, and how many more there may be */
#define MENU_MORE  6
#define MOST_READ  5
#define ELSEWHERE  3

enum frame_part { PART_MENU, PART_NOTICE, PART_ASIDE, PART_FOOTER, FRAME_PARTS };

struct dress {
    struct {
        const char *tag, *name;
    } part[FRAME_PARTS];
    struct frame_main main;
};

/* How the markup marks its parts: with elements, with class names, not at all. */
static const struct dress dresses[] = {
    {{{"nav", "menu"}, {"div", "cookies"}, {"aside", "most-read"}, {"footer", "about"}},
     {"<main>\n<article>\n", "</article>\n", "</main>\n"}},
    {{{"div", "navbar"}, {"div", "consent-banner"}, {"div", "sidebar"}, {"div", "site-footer"}},
     {"<div id=\"content\">\n<div class=\"post\">\n", "</div>\n", "</div>\n"}},
    {{{"div", "row r1"}, {"div", "box b2"}, {"div", "col c3"}, {"div", "row r4"}},
     {"<div class=\"row r2\">\n<div class=\"col c1\">\n", "</div>\n", "</div>\n"}},
};

static const char *const notices[] = {
    "We use cookies to learn how our pages are read. If you read on, you agree to that.",
    "This site stores small files on your device, some of them for advertising. You decide which.",
    "Your privacy matters to us and to our partners. Choose what may be stored and measured.",
};

/* Each part of a frame has a generator of its own. */
static struct rng part_rng(const struct site *s, uint32_t host, enum frame_part part)
{
    struct rng own = site_rng(s, STREAM_FRAME, host);

    return rng_fork(&own, part);
}

static const struct dress *dress_of(uint32_t host)
{
    return &dresses[host % ARRAY_LEN(dresses)];
}

bool frame_is_there(const struct site *s, uint32_t host)
{
    struct rng r = part_rng(s, host, FRAME_PARTS);

    return rng_unit(&r) < s->config->menus;
}

struct frame_main frame_main(const struct site *s, uint32_t host)
{
    return frame_is_there(s, host) ? dress_of(host)->main : dresses[0].main;
}

static void part_open(uint32_t host, enum frame_part part, struct buf *out)
{
    buf_addf(out, "<%s class=\"%s\">\n", dress_of(host)->part[part].tag,
             dress_of(host)->part[part].name);
}

static void part_close(uint32_t host, enum frame_part part, struct buf *out)
{
    buf_addf(out, "</%s>\n", dress_of(host)->part[part].tag);
}

/* ---- menu and notice ---- */

void frame_menu(const struct site *s, uint32_t host, struct buf *out)
{
    struct rng r = part_rng(s, host, PART_MENU);
    uint32_t first = s->graph->host_first[host], last = s->graph->host_first[host + 1];
    uint32_t links = MENU_LEAST + (uint32_t)rng_below(&r, MENU_MORE + 1);

    part_open(host, PART_MENU, out);
    buf_addf(out, "<ul>\n<li><a href=\"http://%s/\">Home</a></li>\n", s->host_names[host]);
    for (uint32_t i = first + 1; i < last && i <= first + links; i++) {
        buf_add_z(out, "<li><a href=\"");
        site_url(s, i, false, out);
        buf_add_z(out, "\">");
        prose_phrase(s->words, s->graph->topic[i], &r, out);
        buf_add_z(out, "</a></li>\n");
    }
    buf_add_z(out, "<li>Search</li>\n<li>Log in</li>\n</ul>\n");
    part_close(host, PART_MENU, out);
}

void frame_notice(const struct site *s, uint32_t host, struct buf *out)
{
    struct rng r = part_rng(s, host, PART_NOTICE);

    if (rng_below(&r, 2) == 0)
        return;
    part_open(host, PART_NOTICE, out);
    buf_addf(out, "<p>%s</p>\n<button>Accept all</button> <button>Settings</button>\n",
             notices[rng_below(&r, ARRAY_LEN(notices))]);
    part_close(host, PART_NOTICE, out);
}

/* ---- beside and below ---- */

static void put_title_link(const struct site *s, uint32_t page, struct buf *out)
{
    buf_add_z(out, "<li><a href=\"");
    site_url(s, page, false, out);
    buf_add_z(out, "\">");
    site_title(s, page, out);
    buf_add_z(out, "</a></li>\n");
}

void frame_aside(const struct site *s, uint32_t host, struct buf *out)
{
    struct rng r = part_rng(s, host, PART_ASIDE);
    uint32_t first = s->graph->host_first[host], pages = s->graph->host_first[host + 1] - first;

    if (rng_below(&r, 3) == 0)
        return;
    part_open(host, PART_ASIDE, out);
    buf_add_z(out, "<h3>Most read</h3>\n<ul>\n");
    for (uint32_t i = 0; i < MOST_READ && i < pages; i++)
        put_title_link(s, first + (uint32_t)rng_below(&r, pages), out);
    buf_add_z(out, "</ul>\n<h3>Elsewhere</h3>\n<ul>\n");
    for (uint32_t i = 0; i < ELSEWHERE; i++)
        put_title_link(s, (uint32_t)rng_below(&r, s->graph->pages), out);
    buf_add_z(out, "</ul>\n<p>Share this page with your friends</p>\n");
    part_close(host, PART_ASIDE, out);
}

void frame_footer(const struct site *s, uint32_t host, struct buf *out)
{
    struct rng r = part_rng(s, host, PART_FOOTER);
    char date[CLOCK_TEXT];

    clock_format(s->config->date, 0, date);
    part_open(host, PART_FOOTER, out);
    buf_addf(out, "<h4>About %s</h4>\n<p>", s->host_names[host]);
    for (unsigned i = 0; i < 2; i++) {
        prose_sentence(s->words, s->graph->host_topic[host], &r, out);
        buf_add_char(out, ' ');
    }
    buf_add_z(out, "</p>\n<p>Our letter comes once a month: <input type=\"email\" "
                   "placeholder=\"Your address\"> <button>Subscribe</button></p>\n"
                   "<ul>\n<li>Contact</li>\n<li>Help</li>\n<li>Terms of use</li>\n"
                   "<li>Privacy policy</li>\n<li>Advertise with us</li>\n</ul>\n");
    buf_addf(out, "<p>&copy; %.4s %s. All rights reserved.</p>\n", date, s->host_names[host]);
    part_close(host, PART_FOOTER, out);
}
