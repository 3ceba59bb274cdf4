/* topic.h - from the user's options to a topic: the words of the command line, or a topic
 * file with the examples and marks that it names. text/topic.h reads the text itself. */
#pragma once

#include "crawl/options.h"
#include "text/topic.h"

/* The topic of --topic FILE, or of the words. */
enum status topic_read(const struct crawl_options *o, struct topic **ret) MUST_USE;

/* The same, with its examples read or fetched, and its marks read. ST_USAGE where nothing
 * says what to look for. */
enum status topic_make(const struct crawl_options *o, struct topic **ret) MUST_USE;
