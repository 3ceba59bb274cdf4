/* topic.h - makes the topic from the user's options: from the words of the command line, or from a
 * topic file with the examples and marks that it names. text/topic.h reads the text itself. */
#pragma once

#include "crawl/options.h"
#include "text/topic.h"

/* Reads the topic from --topic FILE or from the words; from several files a joint topic, whose
 * parts have the names of the files (text/topic.h). */
enum status topic_read(const struct crawl_options *o, struct topic **ret) MUST_USE;

/* Returns the name, for messages, of the text whose lines describe the topic: "FILE". */
const char *topic_read_from(const struct crawl_options *o);

/* Makes the topic, with its examples read or fetched, and its marks read. ST_USAGE if there are
 * neither words nor files. */
enum status topic_make(const struct crawl_options *o, struct topic **ret) MUST_USE;
