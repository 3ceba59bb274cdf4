/* secret.h - which part of an option's value is a secret, and how it is shown.
 *
 * Passwords and keys are used, but never shown, logged, archived or stored:
 * SECRET_MASK is written in place of the secret. Hiding a text twice gives the
 * same as hiding it once. */
#pragma once

#include "base/buf.h"

#define SECRET_MASK "***"

enum secret_kind {
    SECRET_NONE,   /* nothing in it is secret */
    SECRET_LOGIN,  /* a URL: user and password before the host */
    SECRET_URL,    /* a URL: the same, and parameters whose name marks a secret */
    SECRET_HEADER, /* a line of --header: by its name, or if its value is from a file (@FILE) */
};

/* Does a header or parameter of this name hold a secret? Authorization, Cookie,
 * X-Api-Key, access_token … */
bool secret_name(struct str name);

/* Gives the parts of "[PLACE ]NAME: VALUE", the form of --header. Returns false if the line is not
 * of this form. */
bool secret_header(struct str line, struct str *ret_place, struct str *ret_name,
                   struct str *ret_value);

/* Adds the text in the form in which it may be shown and kept. */
void secret_hide(enum secret_kind kind, struct str text, struct buf *out);

/* Was something hidden in this text? */
bool secret_is_hidden(enum secret_kind kind, struct str text);
