/* commands.h - all commands; main.c lists them. */
#pragma once

#include "cli/command.h"

extern const struct command command_crawl, command_watch, command_resume, command_retry,
    command_top, command_search, command_tree, command_show, command_explain, command_stats,
    command_export, command_check, command_merge, command_forget, command_models,
    command_topic_test, command_topic_idf, command_topic_clusters, command_inspect,
    command_world_make, command_world_import, command_world_info, command_world_rewire,
    command_world_serve, command_lab_figure, command_lab_list, command_lab_report, command_lab_run,
    command_manual, command_serve, command_completion, command_mcp, command_identity_new,
    command_identity_show, command_identity_publish, command_stop, command_mark, command_node,
    command_nodes;
