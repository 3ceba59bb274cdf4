/* What happens when memory is out: one sentence, or a no that somebody can hear.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOO_MUCH ((size_t)1 << 46) /* bytes that no machine has */

static void *ask_too_much(void *ctx)
{
    free(mem_alloc(TOO_MUCH));
    return ctx;
}

static void ask_in_a_thread(void)
{
    pthread_t thread;

    (void)pthread_create(&thread, NULL, ask_too_much, NULL);
    (void)pthread_join(thread, NULL);
}

static void ask_here(void)
{
    (void)ask_too_much(NULL);
}

/* The last line that a child says on standard error (sanitizers may say more before),
 * and its exit code. */
static int last_words(void (*f)(void), char ret[256])
{
    char all[65536];
    size_t len = 0;
    int ends[2], how = 0;
    ssize_t n;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]), (void)close(ends[1]);
        f();
        _exit(77);
    }
    (void)close(ends[1]);
    while (len < sizeof all - 1 && (n = read(ends[0], all + len, sizeof all - 1 - len)) > 0)
        len += (size_t)n;
    (void)close(ends[0]);
    all[len] = '\0';
    if (len && all[len - 1] == '\n')
        all[--len] = '\0';
    (void)snprintf(ret, 256, "%.255s", strrchr(all, '\n') ? strrchr(all, '\n') + 1 : all);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void no_memory_ends_the_process_with_a_sentence(void **state)
{
    char said[256];

    (void)state;
    assert_int_equal(last_words(ask_here, said), 1);
    assert_ptr_equal(strstr(said, "brood: out of memory: "), said);
    assert_int_equal(last_words(ask_in_a_thread, said), 1);
    assert_ptr_equal(strstr(said, "brood: out of memory: "), said);
}

static void a_buffer_and_an_arena_say_no_to_what_is_large(void **state)
{
    struct buf b = BUF_INIT(SIZE_MAX / 2);
    struct arena a;

    (void)state;
    assert_null(buf_room(&b, TOO_MUCH));
    assert_true(b.full);
    buf_free(&b);
    arena_init(&a, SIZE_MAX / 2);
    assert_null(arena_alloc(&a, TOO_MUCH));
    assert_true(a.full);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_ends_the_process_with_a_sentence),
        cmocka_unit_test(a_buffer_and_an_arena_say_no_to_what_is_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
