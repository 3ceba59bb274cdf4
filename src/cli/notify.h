/* notify.h - telling the service manager (systemd) how we are: ready, alive, stopping.
 *
 * The protocol is a datagram of lines to the socket that $NOTIFY_SOCKET names; $WATCHDOG_USEC says
 * how often it wants to hear that we live. Without these variables nothing is done. A process has one
 * service manager, so there is one of these, used by the main thread alone.
 */
#pragma once

#include <stdint.h>

/* Before the process confines itself. */
void notify_open(void);
/* The first call says that we are ready. Often: sends only as often as is wanted. `pages` is
 * shown by `systemctl status`. */
void notify_alive(int64_t now, uint64_t pages);
void notify_stopping(void);
