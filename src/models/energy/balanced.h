/* balanced.h - the options of `balanced`, and the settings made from them. Only for balanced*.c. */
#pragma once

#include "models/energy/roam.h"
#include "models/energy/worth.h"
#include "base/option.h"

enum teleport { TELEPORT_FREE, TELEPORT_CHARGED };

struct balanced_options {
    double cost, gain;      /* C, G */
    int64_t agents;         /* N */
    int64_t low, high, cap; /* LB, UB; 0: ten times UB */
    int balance, lambda, sign, cold;
    char *history;
    bool buffer;
    double p_db;
    int64_t rescue;
    int reproduction, crowd, revisits, teleport;
    struct roam_options roam;
};

extern const struct option balanced_option_table[];

uint32_t balanced_cap(const struct balanced_options *o);
struct worth_config balanced_worth(const struct balanced_options *o);
enum status balanced_check(const void *options); /* a model_ops.check */
