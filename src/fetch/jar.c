/* jar.c - the cookies and TLS sessions of one loop.
 *
 * libcurl's jar has no ceiling, and its searches grow with it. When it may hold
 * LIMIT_COOKIES it is emptied and only the user's own cookies come back: a
 * crawler that has met so many hosts has little use for the sessions of the
 * first ones. SPDX-License-Identifier: MIT */
#include "fetch/jar.h"

#include "base/limits.h"
#include "base/mem.h"

/* Reads the user's file into the shared jar: RELOAD does it at once. */
static void jar_fill(struct jar *j)
{
    CURL *easy;

    j->count = 0;
    if (j->file == NULL)
        return;
    easy = curl_easy_init();
    if (easy == NULL)
        return;
    (void)curl_easy_setopt(easy, CURLOPT_SHARE, j->share);
    (void)curl_easy_setopt(easy, CURLOPT_COOKIEFILE, j->file);
    (void)curl_easy_setopt(easy, CURLOPT_COOKIELIST, "RELOAD");
    curl_easy_cleanup(easy);
}

void jar_init(struct jar *j, const char *file)
{
    *j = (struct jar){.share = curl_share_init(), .file = file};
    if (j->share == NULL)
        mem_out();
    (void)curl_share_setopt(j->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    (void)curl_share_setopt(j->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    jar_fill(j);
}

void jar_clear(struct jar *j)
{
    (void)curl_share_cleanup(j->share);
    j->share = NULL;
}

void jar_add(struct jar *j, CURL *easy, unsigned more)
{
    j->count += more;
    if (j->count < LIMIT_COOKIES)
        return;
    (void)curl_easy_setopt(easy, CURLOPT_COOKIELIST, "ALL");
    jar_fill(j);
}
