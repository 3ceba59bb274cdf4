/* identity.c - brood identity: the key with which requests are signed, and its public part.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/os/file.h"
#include "fetch/identity.h"

#include <errno.h>
#include <sys/stat.h>

struct identity_options {
    char *agent, *out, *purpose;
    bool json;
};

#define AT(field) .offset = offsetof(struct identity_options, field)

/* ---- new and show -------------------------------------------------------- */

static int show_identity(const char *path, bool as_json)
{
    struct identity *id = NULL;
    struct buf out = BUF_INIT(KIB(16));
    struct json j;
    enum status st = identity_load(path, &id);

    if (st != ST_OK)
        return report_failure(st);
    if (as_json) {
        json_init(&j, &out);
        json_open_object(&j, NULL);
        json_put_z(&j, "agent", identity_agent(id));
        json_put_z(&j, "keyid", identity_keyid(id));
        json_close(&j);
        buf_add_char(&out, '\n');
    } else {
        buf_addf(&out, "agent      %s\nkeyid      %s\ndirectory  %s" IDENTITY_DIRECTORY "\n",
                 identity_agent(id), identity_keyid(id), identity_agent(id));
    }
    identity_free(id);
    return report_out(&out);
}

static int new_command(struct invocation *in)
{
    const struct identity_options *o = in->options;
    enum status st = o->agent ? identity_make(in->args.items[0], o->agent)
                              : status_fail(ST_USAGE, "--agent is missing: the https address under "
                                                      "which the key will be published");

    return st == ST_OK ? show_identity(in->args.items[0], false) : report_failure(st);
}

static int show_command(struct invocation *in)
{
    return show_identity(in->args.items[0], ((struct identity_options *)in->options)->json);
}

/* ---- publish ------------------------------------------------------------- */

/* One key, or several while one takes the place of another. */
static enum status put_keys(const struct text_list *files, struct json *j)
{
    enum status st = ST_OK;

    json_open_array(j, "keys");
    for (size_t i = 0; i < files->count && st == ST_OK; i++) {
        struct identity *id = NULL;

        st = identity_load(files->items[i], &id);
        if (st == ST_OK)
            identity_put_key(id, j);
        identity_free(id);
    }
    json_close(j);
    return st;
}

static enum status make_folder(const char *path)
{
    return mkdir(path, 0755) == 0 || errno == EEXIST
               ? ST_OK
               : status_fail(ST_IO, "%s: %s", path, strerror(errno));
}

static enum status write_directory(const char *root, struct str text, struct buf *path)
{
    enum status st = make_folder(root);

    buf_addf(path, "%s/.well-known", root);
    if (st == ST_OK)
        st = make_folder(path->data);
    buf_clear(path);
    buf_addf(path, "%s" IDENTITY_DIRECTORY, root);
    return st == ST_OK ? file_write(path->data, text) : st;
}

static int publish_command(struct invocation *in)
{
    const struct identity_options *o = in->options;
    LOCAL_BUF text = BUF_INIT(MIB(1)), path = BUF_INIT(KIB(8));
    struct json j;
    enum status st;

    json_begin(&j, &text);
    st = put_keys(&in->args, &j);
    if (o->purpose)
        json_put_z(&j, "purpose", o->purpose);
    json_end(&j);
    if (st == ST_OK && o->out == NULL)
        return report_out(&text);
    if (st == ST_OK)
        st = write_directory(o->out, buf_str(&text), &path);
    if (st == ST_OK)
        report_say("%s: serve it as application/http-message-signatures-directory+json\n",
                   path.data);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

/* ---- the commands -------------------------------------------------------- */

static const struct option new_option_table[] = {
    {TEXT_OPTION("agent", agent, "URL"),
     .help = "the https address under which the key will be published"},
    {.name = NULL},
};

static const struct option show_option_table[] = {
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {.name = NULL},
};

static const struct option publish_option_table[] = {
    {TEXT_OPTION("out", out, "DIR"),
     .help = "the root of the web site, in which .well-known/ is made (default: standard output)"},
    {TEXT_OPTION("purpose", purpose, "WORDS"),
     .help = "what your crawls are for; the directory then says so"},
    {.name = NULL},
};

const struct command command_identity_new = {
    .name = "identity new",
    TAKES("FILE", 1, 1),
    .summary = "make a key with which requests are signed",
    .details = "Site owners can then verify who asks (Web Bot Auth). FILE holds the private key: "
               "only you can read it, and no crawl keeps a copy. 'brood identity publish' writes "
               "what you serve at the address; 'brood crawl --identity FILE' signs requests.",
    .example = "brood identity new ~/.config/brood-identity --agent https://bot.example.org",
    OPTIONS(new_option_table, struct identity_options),
    .run = new_command,
};

const struct command command_identity_show = {
    .name = "identity show",
    TAKES("FILE", 1, 1),
    .summary = "show the address and the id of a key",
    .example = "brood identity show ~/.config/brood-identity",
    OPTIONS(show_option_table, struct identity_options),
    .run = show_command,
};

const struct command command_identity_publish = {
    .name = "identity publish",
    TAKES("FILE...", 1, SIZE_MAX),
    .summary = "write the public keys, to be served at the identity's address",
    .details = "Writes DIR" IDENTITY_DIRECTORY ", a JSON Web Key Set. Give the old and the new "
               "file while you replace one key by another.",
    .example = "brood identity publish ~/.config/brood-identity --out /var/www/html",
    OPTIONS(publish_option_table, struct identity_options),
    .run = publish_command,
};
