/* identity.h - a name that site owners can verify: requests signed by a key of the user's.
 *
 * HTTP Message Signatures (RFC 9421, Ed25519) in the profile of Web Bot Auth
 * (draft-ietf-webbotauth-httpsig-protocol). Three lines go with every GET:
 *
 *     Signature-Agent: sig1="https://bot.example.org"
 *     Signature-Input: sig1=("@method" "@authority" "@path" "signature-agent";key="sig1");
 *                      created=…;expires=…;nonce="…";keyid="…";tag="web-bot-auth"
 *     Signature: sig1=:…:
 *
 * so a signature holds for one host, one path and IDENTITY_SECONDS. The public key lies at
 * https://bot.example.org/.well-known/http-message-signatures-directory; `keyid` is its
 * thumbprint (RFC 8037, A.3).
 *
 * An identity is a file: a line "agent: URL", then the private key as PEM. It is read only where
 * nobody but its owner can read it.
 */
#pragma once

#include "base/json.h"
#include "flow.h"

#define IDENTITY_SECONDS   300 /* that a signature is valid */
#define IDENTITY_DIRECTORY "/.well-known/http-message-signatures-directory"

struct identity;

/* Makes a new key in a new file, mode 0600. ST_EXISTS, ST_USAGE: the agent is no https origin. */
enum status identity_make(const char *path, const char *agent) MUST_USE;
/* ST_MISSING, ST_INVALID; ST_REFUSED: others may read it. */
enum status identity_load(const char *path, struct identity **ret) MUST_USE;
/* The same of the text of such a file; `name` is for messages. */
enum status identity_read(struct str text, const char *name, struct identity **ret) MUST_USE;
void identity_free(struct identity *id);

const char *identity_agent(const struct identity *id);
const char *identity_keyid(const struct identity *id);
/* The public key, as an object of a JSON Web Key Set. */
void identity_put_key(const struct identity *id, struct json *j);

/* The values of the three lines, appended. Of any thread. `purpose` (or NULL) is what the line
 * Crawl-Purpose says, which is covered then. False: the library failed, and nothing is signed. */
struct identity_lines {
    struct buf agent, input, signature;
};
bool identity_sign(const struct identity *id, const struct request *r, const char *purpose,
                   int64_t now, struct identity_lines *ret);
