/* port.h - ports where no web server lives.
 *
 * A page may name any port of any host. At some of them other services read a
 * request as commands of their own (mail, news, Redis, a printer), so a crawler
 * that follows such a link attacks a third party on the page's behalf. */
#pragma once

#include <stdint.h>

/* The service of this port ("smtp"), to which no request may go; NULL: the port is allowed. */
const char *port_refuses(uint16_t port);
