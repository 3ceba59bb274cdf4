/* sequence.h - draws a conversation as a sequence diagram in text.
 *
 *               Kadera               Bolimi               Cedaro
 *               assistant            facilitator          assistant
 *         0.000 |-------- cfp ------>|                    |          supply-links 5 min 0.25: …
 *         0.250 |                    |-------- cfp ------>|          supply-links 5 min 0.25: …
 *        30.250 | ! Cedaro has not answered cfp
 *
 * Times are seconds since the first message. If the columns do not fit, the content of a message is
 * below its arrow; if the parties do not fit either, the diagram is a list. The expected answer is
 * the receiver's next message that does not only pass on the same question; "inform" expects none.
 */
#pragma once

#include "base/buf.h"

struct sequence_party {
    struct str name, kind;
};

struct sequence_message {
    int64_t at, reply_by; /* us; reply_by 0: no answer is awaited */
    struct str sender, receiver, performative, content;
};

struct sequence {
    const struct sequence_party *parties; /* in the order of columns */
    size_t nparties;
    const struct sequence_message *messages; /* in the order of time */
    size_t nmessages;
    int64_t now; /* deadlines after it may still be met */
};

/* `width` in columns, at least 40. */
void sequence_draw(const struct sequence *s, size_t width, struct buf *out);

/* Sets ret[i] for the messages whose deadline passed without an answer. */
void sequence_missed(const struct sequence *s, bool *ret);
