/* credentials.h - the user's own header lines, each with the place it may go to.
 *
 *     --header 'Accept-Language: de'                 every request
 *     --header 'Authorization: Bearer x'             a secret: the first seed's place
 *     --header 'https://a.org:8443 X-Team: red'      that place
 *     --header 'a.org Authorization: @FILE'          the text of a file
 *
 * A place is scheme, host and port, so that neither a redirect nor a link carries
 * a secret to another host, another port or in the clear. A host without a scheme
 * means https, unless a seed there says http. "@@" stands for a '@' at the
 * start of a value. base/os/secret.h decides what is a secret. No secret is stored in the directory
 * of a crawl, so the user must give it again to resume. */
#pragma once

#include "base/arena.h"
#include "crawl/options.h"
#include "fetch/fetch.h"

struct credentials {
    struct fetch_header *lines; /* for fetch_config.headers */
    struct arena memory;
};

/* Also reads the files. ST_USAGE: a line is not a header, a file cannot be read, or a
 * secret was not given again. */
enum status credentials_read(const struct crawl_options *o, struct credentials *ret) MUST_USE;
void credentials_clear(struct credentials *c);

/* For options read back from a directory: inserts the secrets that were given again (`headers`,
 * `proxy` or NULL). If some are still missing, ST_USAGE with their names; with `without` they are
 * left out. */
enum status credentials_again(struct crawl_options *o, const struct text_list *headers,
                              const char *proxy, bool without) MUST_USE;
