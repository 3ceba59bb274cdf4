/* barrier.c - shells filled by JavaScript, and bot walls.
 *
 * Only pages of few words are examined, so that an article about captchas counts as a page.
 * The markers are those that the software behind such pages leaves in its HTML. Such a list is
 * never complete; a page that it misses is stored like any other.
 * SPDX-License-Identifier: MIT
 */
#include "parse/barrier.h"

#include "base/limits.h"
#include "base/mem.h"

#define LOOK_BYTES  KIB(256) /* of the payload */
#define SHELL_WORDS 60       /* a shell that asks for JavaScript has fewer … */
#define EMPTY_WORDS 15       /* … one without such a request has fewer than these … */
#define SHELL_LINKS 5        /* … and neither has this many links */
#define WALL_WORDS  100

/* All in lower case. */
static const char *const requests[] = {
    "enable javascript",          "javascript is required",    "javascript is disabled",
    "requires javascript",        "javascript to run this",    "turn on javascript",
    "javascript aktivieren",      "aktivieren sie javascript", "activer javascript",
    "activez javascript",         "habilitar javascript",      "activa javascript",
    "javascript must be enabled",
};

static const char *const roots[] = {
    "id=\"root\"",   "id=\"app\"",   "id=\"__next\"",      "id=\"__nuxt\"", "id=\"___gatsby\"",
    "id=root",       "id=app",       "<app-root",          "id='root'",     "id='app'",
    "id=\"svelte\"", "id=\"q-app\"", "id=\"application\"",
};

static const char *const wall_titles[] = {
    "just a moment",
    "attention required! | cloudflare",
    "pardon our interruption",
    "are you a robot",
    "access to this page has been denied",
    "bot verification",
    "ddos-guard",
    "vercel security checkpoint",
    "verify you are human",
    "robot check",
    "human verification",
};

static const char *const wall_marks[] = {
    "cf_chl_opt",         "cf-browser-verification", "_incapsula_resource",
    "px-captcha",         "captcha-delivery.com",    "awswafcookiedomainlist",
    "/_sec/cp_challenge", "ddos-guard/js",           "anubis_challenge",
};

static bool has_any(struct str s, const char *const *marks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_find_i(s, str_of(marks[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

#define HAS_ANY(s, marks) has_any((s), (marks), ARRAY_LEN(marks))

static bool is_wall(const struct page *page, struct str payload)
{
    if (page->nwords >= WALL_WORDS)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(wall_titles); i++)
        if (str_starts_i(page->title, str_of(wall_titles[i])))
            return true;
    return HAS_ANY(payload, wall_marks);
}

static bool is_shell(const struct page *page, struct str payload)
{
    unsigned links = 0;

    if (page->nwords >= SHELL_WORDS)
        return false;
    for (uint32_t i = 0; i < page->nlinks && links < SHELL_LINKS; i++)
        links += page->links[i].kind == LINK_A;
    if (links == SHELL_LINKS || str_find_i(payload, STR("<script"), 0) == SIZE_MAX)
        return false;
    return HAS_ANY(payload, requests) || (page->nwords < EMPTY_WORDS && HAS_ANY(payload, roots));
}

enum drop barrier_of(const struct page *page, struct str payload)
{
    payload = str_sub(payload, 0, LOOK_BYTES);
    if (page->kind != PAGE_HTML)
        return DROP_NONE;
    if (is_wall(page, payload))
        return DROP_WALL;
    return is_shell(page, payload) ? DROP_SCRIPT : DROP_NONE;
}
