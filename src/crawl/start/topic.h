/* topic.h - from the user's options to a topic: the words of the command line, or a topic
 * file with the examples and marks that it names. text/topic.h reads the text itself. */
#pragma once

#include "crawl/options.h"
#include "text/topic.h"

/* The topic of --topic FILE, or of the words; of several files a joint one, whose parts are
 * called as the files are (text/topic.h). */
enum status topic_read(const struct crawl_options *o, struct topic **ret) MUST_USE;

/* What the lines of the topic are lines of, for messages: "FILE". */
const char *topic_read_from(const struct crawl_options *o);

/* A topic with its examples read or fetched, and its marks read. ST_USAGE where nothing
 * says what to look for. */
enum status topic_make(const struct crawl_options *o, struct topic **ret) MUST_USE;
