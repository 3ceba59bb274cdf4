/* credentials.h - the user's own header lines, each with the place it may go to.
 *
 *     --header 'Accept-Language: de'                 every request
 *     --header 'Authorization: Bearer x'             a secret: the first seed's place
 *     --header 'https://a.org:8443 X-Team: red'      that place
 *     --header 'a.org Authorization: @FILE'          the text of a file
 *
 * A place is scheme, host and port, so that neither a redirect nor a link carries
 * a secret to another host, another port or in the clear. A host without a scheme
 * means https, unless a seed there says http. "@@" begins a value that begins with
 * '@'. What is a secret is said by base/secret.h; none is kept in the directory of
 * a crawl, so whoever goes on with it gives it again. */
#ifndef CRAWL_CREDENTIALS_H
#define CRAWL_CREDENTIALS_H

#include "base/arena.h"
#include "crawl/options.h"
#include "fetch/fetch.h"

struct credentials {
    struct fetch_header *lines; /* for fetch_config.headers */
    struct arena memory;
};

/* Reads the files too. ST_USAGE: a line is none, a file cannot be read, or a secret
 * was not given again. */
enum status credentials_read(const struct crawl_options *o, struct credentials *ret) MUST_USE;
void credentials_clear(struct credentials *c);

/* For options read back from a directory: puts the secrets in which were given again
 * (`headers`, `proxy` or NULL). What is missing then is named (ST_USAGE), or left out
 * where `without`. */
enum status credentials_again(struct crawl_options *o, const struct text_list *headers,
                              const char *proxy, bool without) MUST_USE;

#endif
