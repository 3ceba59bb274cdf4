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
 * So a signature is valid for one host, one path and IDENTITY_SECONDS. The public key is at
 * https://bot.example.org/.well-known/http-message-signatures-directory; `keyid` is its
 * thumbprint (RFC 8037, A.3).
 *
 * An identity is a file: a line "agent: URL", then the private key as PEM. It is refused if
 * anybody but its owner can read it.
 */
#pragma once

#include "base/json.h"
#include "flow.h"

#define IDENTITY_SECONDS   300 /* how long a signature is valid */
#define IDENTITY_DIRECTORY "/.well-known/http-message-signatures-directory"

struct identity;

/* Makes a new key in a new file with mode 0600. Returns ST_EXISTS if the file exists, ST_USAGE if
 * the agent is not an https origin. */
enum status identity_make(const char *path, const char *agent) MUST_USE;
/* Returns ST_MISSING or ST_INVALID, or ST_REFUSED if others may read the file. */
enum status identity_load(const char *path, struct identity **ret) MUST_USE;
/* The same for the text of such a file; `name` is for messages. */
enum status identity_read(struct str text, const char *name, struct identity **ret) MUST_USE;
void identity_free(struct identity *id);

const char *identity_agent(const struct identity *id);
const char *identity_keyid(const struct identity *id);
/* The public key, as an object of a JSON Web Key Set. */
void identity_put_key(const struct identity *id, struct json *j);

/* The values of the three lines, appended. Any thread may sign. `purpose` is the value of the
 * header Crawl-Purpose, which the signature then covers, or NULL. Returns false if the library
 * failed; then nothing is signed. */
struct identity_lines {
    struct buf agent, input, signature;
};
bool identity_sign(const struct identity *id, const struct request *r, const char *purpose,
                   int64_t now, struct identity_lines *ret);
