/* fuzz_config.c - config files: any text fills the options or says why not.
 * SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "crawl/options.h"

const struct command *const command_table[] = {NULL}; /* help.c wants one */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct crawl_options o;

    if (size > 20000)
        return 0;
    crawl_options_init(&o);
    if (config_read(text, "fuzz", crawl_option_table, &o) != ST_OK && *status_text() == '\0')
        __builtin_trap(); /* a refusal has a sentence */
    crawl_options_free(&o);
    return 0;
}
