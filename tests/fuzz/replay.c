/* replay.c - runs a fuzzer's function over files, without a fuzzing engine.
 *
 *     fuzz_NAME CORPUS [FOLDER...]
 *
 * In: the folder CORPUS, and of the real data ($BROOD_DATA) each FOLDER that is
 * there; files are taken in the order of their names, with all below them. Some of
 * the corpus are run a second time, stretched to megabytes (stretch.h).
 * Out: TAP with one test. A finding ends the program as the sanitizers do; the
 * last line then names the file, which is also said where Meson's patience
 * ends (SIGTERM): an input that never ends is a finding too.
 *
 * The normal test run links every fuzz_NAME.c with this file; with -Dfuzz=true
 * libFuzzer takes its place.
 * SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"

#include "stretch.h"

#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX MIB(4) /* larger files are left out: fuzzers are for small ones */
#define LONG_RUNS 4      /* of the corpus, stretched */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Only in builds with a sanitizer. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* The file under way, for the handlers below: they have no argument for it. */
static char current[4096];

static void say_current(void)
{
    static const char prefix[] = "# while replaying ";

    (void)!write(STDOUT_FILENO, prefix, sizeof prefix - 1);
    (void)!write(STDOUT_FILENO, current, strlen(current));
    (void)!write(STDOUT_FILENO, "\n", 1);
}

static void on_signal(int number)
{
    say_current();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Handed over in a block of exactly its size, so that a read beyond it shows. */
static void run_one(struct str input)
{
    uint8_t *copy = malloc(input.len ? input.len : 1);

    if (copy == NULL)
        return;
    if (input.len)
        memcpy(copy, input.ptr, input.len);
    (void)LLVMFuzzerTestOneInput(copy, input.len);
    free(copy);
}

static void run_long(struct str input, struct rng *rng)
{
    char *out = mem_alloc(STRETCH_MOST);
    size_t len = MIB(2) + rng_below(rng, STRETCH_MOST - MIB(2));

    run_one((struct str){out, stretch(input, rng, out, len)});
    free(out);
}

/* With an `rng` it is stretched. */
static bool replay_file(const char *path, struct rng *rng)
{
    struct buf input = BUF_INIT(INPUT_MAX);
    bool is_read = file_read(path, &input) == ST_OK;

    if (is_read) {
        (void)snprintf(current, sizeof current, "%s%s", path, rng ? ", stretched" : "");
        if (rng)
            run_long(buf_str(&input), rng);
        else
            run_one(buf_str(&input));
    }
    buf_free(&input);
    return is_read;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* All files, or every `step`th of them, stretched. */
static unsigned replay_folder(char *path, unsigned step, struct rng *rng)
{
    char *roots[] = {path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    unsigned count = 0, seen = 0;

    if (walk == NULL)
        return 0;
    for (FTSENT *e; (e = fts_read(walk)) != NULL;)
        if (e->fts_info == FTS_F && seen++ % step == 0 && replay_file(e->fts_accpath, rng))
            count++;
    (void)fts_close(walk);
    return count;
}

static unsigned replay_corpus(char *path)
{
    unsigned count = replay_folder(path, 1, NULL), runs = 0;
    struct rng rng;

    rng_init(&rng, 1);
    while (count && runs < LONG_RUNS)
        runs += replay_folder(path, count / LONG_RUNS + 1, &rng);
    return count;
}

int main(int argc, char **argv)
{
    const char *data = getenv("BROOD_DATA");
    unsigned count = 1;

    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_current);
    (void)signal(SIGABRT, on_signal);
    (void)signal(SIGTERM, on_signal);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..1\n");
    (void)snprintf(current, sizeof current, "the empty input");
    run_one(STR(""));
    if (argc > 1)
        count += replay_corpus(argv[1]);
    for (int i = 2; i < argc && data && *data; i++) {
        char path[4096];

        if (snprintf(path, sizeof path, "%s/%s", data, argv[i]) < (int)sizeof path)
            count += replay_folder(path, 1, NULL);
    }
    printf("ok 1 - corpus of %u files replays without a finding\n", count);
    return 0;
}
