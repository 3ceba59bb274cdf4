/* nothing.h - a search that found nothing: what was searched, and what is near. */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct query;

/* Sentences for people, each with its line end. `all_text`: menus and footers were searched too. */
enum status nothing_found(struct query *q, struct str words, bool all_text,
                          struct buf *out) MUST_USE;
