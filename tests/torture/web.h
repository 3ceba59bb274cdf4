/* web.h - the small web that is crawled: robots.txt, a sitemap, a feed, a redirect,
 * an error, gzip, an undeclared charset, a forbidden page, a second host.
 */
#pragma once

#define WEB_HOST "http://reef.test"

/* Serves it from a process of its own; lives until web_stop(). */
const char *web_start(void); /* for --resolve */
void web_stop(void);
