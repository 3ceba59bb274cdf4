/* Commands to a running crawl, one a line: each gets one line of JSON that fits and says
 * either that it was done or why not. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "crawl/control.h"
#include "crawl/crawl_int.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LINES 64 /* of one input */

static char place[64];
static struct crawl_options options;
static struct crawl *crawl;

static void finish(void)
{
    char command[128];

    control_close(crawl);
    (void)!crawl_close(crawl, NULL, NULL);
    crawl_options_free(&options);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", place);
    (void)!system(command);
}

/* A crawl that never makes a request. Its model is one that learns from marks. */
static void begin(void)
{
    (void)snprintf(place, sizeof place, "/tmp/brood-fuzz-XXXXXX");
    if (mkdtemp(place) == NULL)
        exit(1);
    crawl_options_init(&options);
    options.words = strdup("sun and sea");
    free(options.model);
    options.model = strdup("classifier");
    free(options.out);
    options.out = malloc(sizeof place + 2);
    (void)snprintf(options.out, sizeof place + 2, "%s/c", place);
    options.allow_private = options.no_warc = options.quiet = true;
    text_list_add(&options.seed, STR("http://127.0.0.1:9/"));
    if (crawl_new(&options, &crawl) != ST_OK) {
        (void)fprintf(stderr, "%s\n", status_text());
        exit(1);
    }
    control_open(crawl);
    (void)atexit(finish);
}

static void check(struct str line)
{
    struct buf out = BUF_INIT(CONTROL_ANSWER_MAX);
    json_t *j;

    control_answer(crawl, line, &out);
    j = json_loadb(out.data, out.len, 0, NULL);
    if (out.full || out.data[out.len - 1] != '\n' ||
        json_is_true(json_object_get(j, "ok")) == json_is_string(json_object_get(j, "error")))
        abort();
    json_decref(j);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line;

    if (crawl == NULL)
        begin();
    for (int i = 0; i < LINES && str_cut(&rest, '\n', &line); i++)
        if (line.len <= LIMIT_CONTROL_LINE)
            check(line);
    return 0;
}
