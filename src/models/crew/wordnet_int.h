/* wordnet_int.h - the inside of a wordnet, for wordnet.c and wordnet_open.c. */
#pragma once

#include "models/crew/wordnet.h"

struct wordnet {
    struct str index;      /* index.noun */
    struct str data;       /* data.noun */
    struct str exceptions; /* noun.exc; may be empty */
    char *dir;             /* where they lie; NULL: in memory, and not ours */
};
