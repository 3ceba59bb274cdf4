/* status.h - how a function reports that it failed.
 *
 * One enum for the whole program; 0 is success. A function that can fail
 * returns `enum status` and is marked MUST_USE. The sentence for the user is
 * set with status_fail() where the fault is found, and is kept in a
 * thread-local text until the next failure on that thread. Library code never
 * prints it: crawl/, cli/ and dash/ do.
 *
 *     if (size > LIMIT)
 *         return status_fail(ST_LIMIT, "%s is larger than %zu bytes", name, n);
 */
#pragma once

#include <stddef.h>

#define MUST_USE               __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNUSED                 __attribute__((unused))

enum status {
    ST_OK = 0,
    ST_USAGE,   /* the user asked for something that makes no sense */
    ST_INVALID, /* input that does not follow its format */
    ST_LIMIT,   /* a ceiling of limits.h was reached */
    ST_MISSING, /* a file, page or name that is not there */
    ST_EXISTS,  /* it is there already, and must not be overwritten */
    ST_IO,      /* the operating system said no */
    ST_NET,     /* the network or the peer failed */
    ST_REFUSED, /* a rule of ours forbids it */
    ST_BUSY,    /* another process or thread holds it */
    ST_CORRUPT, /* a file of ours is damaged */
    ST_STARVED, /* nothing is left to do, and the goal was not reached */
    ST_STOPPED, /* the user asked us to stop */
    ST_INTERNAL /* our own mistake */
};

/* Does one step of a function that returns a status. If the step fails, the function returns its
 * status at once. What the function holds by then must free itself (LOCAL_BUF and the like):
 *
 *     TRY(file_read(path, &text));
 *     return plan_parse(buf_str(&text), path, ret);
 */
#define TRY(...)                          \
    do {                                  \
        enum status try_ = (__VA_ARGS__); \
        if (try_ != ST_OK)                \
            return try_;                  \
    } while (0)

/* A short lower-case word for the status: "invalid", "limit", ... */
const char *status_name(enum status st);

/* Sets this thread's error text and returns `st`. */
enum status status_fail(enum status st, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Puts "prefix: " before this thread's error text and returns `st`. */
enum status status_prefix(enum status st, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* This thread's error text; never NULL, empty before the first failure. */
const char *status_text(void);

/* ---- reporting all mistakes, not only the first ---- */

/* A check goes on after a mistake: a form shows all of them, each where it belongs; a
 * command reports the first. A mistake is named by the option at fault ("seed", "set.n");
 * for each name only the first is kept. */
#define MISTAKES_MOST 32 /* more would not help */

struct mistake {
    char *name, *sentence;
    enum status status;
};

/* Zeroed: there are none. */
struct mistakes {
    struct mistake items[MISTAKES_MOST];
    size_t count;
};

/* Notes the last failure (status_text()) as a mistake of this name. Does nothing if `st` is
 * ST_OK. */
void mistakes_note(struct mistakes *f, const char *name, enum status st);
/* Reports the first mistake again, as a status with its sentence. ST_OK if there is none. */
enum status mistakes_status(const struct mistakes *f) MUST_USE;
void mistakes_clear(struct mistakes *f);
