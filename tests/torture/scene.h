/* scene.h - what is tortured: a command on a small crawl, and what must hold
 * behind it, whatever failed.
 */
#pragma once

#include "run.h"

#include <stddef.h>

struct scene;

/* Starts the web, and makes the crawls that the scenes begin with. */
void scenes_begin(const char *root);
void scenes_end(void);

size_t scene_count(void);
const char *scene_name(size_t scene);
/* Is it a crawl, which goes on when it was killed? */
bool scene_crawls(size_t scene);

/* Runs the scene with one failure below `dir`, which is made and removed.
 * True: all is well. False: ret says what is not. */
bool scene_run(const struct fault *fault, const char *dir, char *ret, size_t size);
