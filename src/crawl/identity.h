/* identity.h - how brood introduces itself. */
#ifndef CRAWL_IDENTITY_H
#define CRAWL_IDENTITY_H

#define BROOD_TOKEN    "brood" /* product token: robots.txt groups, robots tags */
#define BROOD_SOFTWARE "brood/" BROOD_VERSION

#endif
