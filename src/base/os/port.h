/* port.h - ports that web servers do not use.
 *
 * A page may name any port of any host. At some of them other services read a
 * request as commands of their own (mail, news, Redis, a printer), so a crawler
 * that follows such a link attacks a third party on the page's behalf. */
#pragma once

#include <stdint.h>

/* Returns the service of a port to which no request may go ("smtp"), or NULL if the port is
 * allowed. */
const char *port_refuses(uint16_t port);
