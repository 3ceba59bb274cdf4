/* identity.h - how brood introduces itself. */
#pragma once

#define BROOD_TOKEN    "brood" /* product token: robots.txt groups, robots tags */
#define BROOD_SOFTWARE "brood/" BROOD_VERSION
