/* nothing.h - a search that found nothing: what was searched, and what is near. */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct query;

/* Sentences for people, each with its line end. */
enum status nothing_found(struct query *q, struct str words, struct buf *out) MUST_USE;
