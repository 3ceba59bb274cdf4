/* mistake.h - everything that is wrong with what somebody asked for, not only the first thing.
 *
 * A check goes on after a mistake: a form shows all of them, each where it belongs; a
 * command says the first. A mistake is named by the option at mistake ("seed", "set.n"); the
 * first of a name counts.
 */
#pragma once

#include "base/status.h"

#include <stddef.h>

#define MISTAKES_MOST 32 /* more help nobody */

struct mistake {
    char *name, *sentence;
    enum status status;
};

/* Zeroed: none. */
struct mistakes {
    struct mistake items[MISTAKES_MOST];
    size_t count;
};

/* The last failure (status_text()) is a mistake of this name; ST_OK: nothing is. */
void mistakes_note(struct mistakes *f, const char *name, enum status st);
/* The first mistake once more, as a status with its sentence; ST_OK: there is none. */
enum status mistakes_status(const struct mistakes *f) MUST_USE;
void mistakes_clear(struct mistakes *f);
