/* tools.h - the tools that a language model may call: each is a command of brood with some of its
 * options. A call is turned into a command line here; calls.h runs it.
 *
 * The list of tools, with the JSON Schema of their arguments, and the check of a call come from one
 * table. No argument of a call can become an option: values follow a '=' or the '--'.
 */
#pragma once

#include "base/json.h"
#include "base/option.h"

#include <jansson.h>

enum tool_kind {
    TOOL_NAMES, /* not a command: the list of crawls */
    TOOL_READ,
    TOOL_WRITE,
    TOOL_CRAWL, /* makes a crawl, and runs until it ends */
    TOOL_WATCH, /* begins a watch or goes on with one, for one pass */
};

struct tool;

const struct tool *tool_find(const char *name); /* NULL: none */
enum tool_kind tool_kind(const struct tool *t);
bool tool_changes(const struct tool *t);
bool tool_fetches(const struct tool *t); /* does it send requests to the web? */

/* Writes the list as members of an array; tools that change something only if `changes` is set. */
void tools_put(struct json *j, bool changes);

/* Makes the words of a call after the program's name. `args` is an object or NULL; `dir` is the
 * crawl's directory. ST_USAGE with a sentence. */
enum status tool_argv(const struct tool *t, const json_t *args, const char *dir,
                      struct text_list *ret) MUST_USE;
/* Returns a whole number of a call, or the tool's default. */
int64_t tool_number(const struct tool *t, const json_t *args, const char *name);
