/* message.h - one message of the Model Context Protocol: JSON-RPC 2.0, one message a line.
 *
 * Two generations of the protocol are supported. Since the revision 2026-07-28 every request gives
 * its version in params._meta, and there is no handshake; earlier revisions begin with
 * `initialize`. All differences between their answers are handled here.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#include <jansson.h>

#define MCP_VERSION "2026-07-28"

/* Faults, by JSON-RPC's numbers. */
enum mcp_fault {
    MCP_NONE = 0,
    MCP_NO_JSON = -32700,
    MCP_NO_REQUEST = -32600,
    MCP_NO_METHOD = -32601,
    MCP_BAD_PARAMS = -32602,
    MCP_NO_RESOURCE = -32002, /* earlier revisions; now it is MCP_BAD_PARAMS */
    MCP_NO_VERSION = -32022,
};

/* The request that gets the answer. Texts are JSON, on the heap. */
struct mcp_asker {
    char *id;    /* NULL: it is a notification, without an answer */
    char *token; /* for progress; NULL: it was not asked for */
    bool modern; /* it speaks MCP_VERSION */
};

struct mcp_message {
    json_t *json; /* the whole message */
    struct mcp_asker from;
    const char *method; /* lent by `json`; NULL: it is an answer, though we send no requests */
    json_t *params;     /* an object, lent; NULL: none */
};

/* Reads a line. After a fault status_text() says what is wrong, and ret->from.id is set if the
 * message has one. Clear it in any case. */
enum mcp_fault mcp_read(struct str line, struct mcp_message *ret) MUST_USE;
void mcp_clear(struct mcp_message *m);
void mcp_asker_clear(struct mcp_asker *a);
/* Returns the version that a request of the earlier generation names, if we support it; else the
 * newest of that generation. */
const char *mcp_known_version(const char *asked);

/* Opens a result, whose members the caller writes; mcp_close_result() ends the line. `lasts`:
 * how many ms a client may cache it; -1 for results that are not cached. */
void mcp_open_result(struct json *j, struct buf *out, const struct mcp_asker *to, int64_t lasts);
void mcp_close_result(struct json *j);
void mcp_put_server(struct json *j, const char *name); /* who we are, as a member */
/* Writes an error as a line. `requested`: the unsupported version; NULL for another error. */
void mcp_put_error(struct buf *out, const struct mcp_asker *to, enum mcp_fault fault,
                   const char *sentence, const char *requested);
/* Writes the progress of a request as a line. */
void mcp_put_progress(struct buf *out, const struct mcp_asker *to, uint64_t done, uint64_t total,
                      const char *sentence);
