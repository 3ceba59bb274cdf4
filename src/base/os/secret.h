/* secret.h - what of an option's value is a secret, and how it is shown.
 *
 * Values with a password or a key are used, but never shown, logged, archived or
 * stored: there the text has SECRET_MASK in place of the secret. Hiding a
 * text twice gives the same as hiding it once. */
#pragma once

#include "base/buf.h"

#define SECRET_MASK "***"

enum secret_kind {
    SECRET_NONE,   /* nothing in it is secret */
    SECRET_LOGIN,  /* a URL: user and password before the host */
    SECRET_URL,    /* a URL: the same, and parameters with a secret's name */
    SECRET_HEADER, /* a line of --header: by its name, or any value from a file (@FILE) */
};

/* Does a header or parameter of this name hold a secret? Authorization, Cookie,
 * X-Api-Key, access_token … */
bool secret_name(struct str name);

/* The parts of "[PLACE ]NAME: VALUE", as --header has it; false: it is no such line. */
bool secret_header(struct str line, struct str *ret_place, struct str *ret_name,
                   struct str *ret_value);

/* Adds the text as it may be shown and kept. */
void secret_hide(enum secret_kind kind, struct str text, struct buf *out);

/* Was something hidden in this text? */
bool secret_is_hidden(enum secret_kind kind, struct str text);
