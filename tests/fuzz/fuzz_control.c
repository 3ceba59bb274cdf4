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

/* Models: one that learns from marks, one that tells of its agents. */
static const char *const models[] = {"classifier", "infospiders"};
#define CRAWLS (sizeof models / sizeof *models)

static char place[64];
static struct crawl_options options[CRAWLS];
static struct crawl *crawls[CRAWLS];

static void finish(void)
{
    char command[128];

    for (size_t i = 0; i < CRAWLS; i++) {
        control_close(crawls[i]);
        (void)!crawl_close(crawls[i], NULL, NULL);
        crawl_options_free(&options[i]);
    }
    (void)snprintf(command, sizeof command, "rm -rf '%s'", place);
    (void)!system(command);
}

static char *copied(const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        exit(1);
    return copy;
}

/* A crawl that never makes a request. */
static void begin(size_t i)
{
    struct crawl_options *o = &options[i];
    char out[sizeof place + 24];

    crawl_options_init(o);
    o->words = copied("sun and sea");
    free(o->model);
    o->model = copied(models[i]);
    free(o->out);
    (void)snprintf(out, sizeof out, "%s/%zu", place, i);
    o->out = copied(out);
    o->allow_private = o->no_warc = o->quiet = true;
    text_list_add(&o->seed, STR("http://127.0.0.1:2/"));
    if (crawl_new(o, &crawls[i]) != ST_OK) {
        (void)fprintf(stderr, "%s\n", status_text());
        exit(1);
    }
    control_open(crawls[i]);
}

static void begin_all(void)
{
    (void)snprintf(place, sizeof place, "/tmp/brood-fuzz-XXXXXX");
    if (mkdtemp(place) == NULL)
        exit(1);
    for (size_t i = 0; i < CRAWLS; i++)
        begin(i);
    (void)atexit(finish);
}

static void check(struct crawl *crawl, struct str line)
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

    if (crawls[0] == NULL)
        begin_all();
    for (int i = 0; i < LINES && str_cut(&rest, '\n', &line); i++)
        for (size_t k = 0; k < CRAWLS && line.len <= LIMIT_CONTROL_LINE; k++)
            check(crawls[k], line);
    return 0;
}
