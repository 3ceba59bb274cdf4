/* notify.h - reports our state to the service manager (systemd): ready, alive, stopping.
 *
 * The protocol is a datagram of lines to the socket that $NOTIFY_SOCKET names; $WATCHDOG_USEC says
 * how often it expects a sign of life. Without these variables nothing is sent. A process has one
 * service manager, so this state is global; only the main thread uses it.
 */
#pragma once

#include <stdint.h>

/* To be called before the process confines itself. */
void notify_open(void);
/* The first call reports that we are ready. May be called often: it sends only as often as
 * expected. `systemctl status` shows `pages`. */
void notify_alive(int64_t now, uint64_t pages);
void notify_stopping(void);
