/* api_models.c - the models, for the form. SPDX-License-Identifier: MIT */
#include "models/models.h"
#include "dash/call.h"

enum status api_models(struct call *r)
{
    const struct model_ops *const *all = model_registry();
    struct json j;

    json_init(&j, &r->out);
    json_open_array(&j, NULL);
    for (size_t i = 0; all[i]; i++)
        model_put(&j, all[i]);
    json_close(&j);
    return ST_OK;
}
