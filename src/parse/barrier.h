/* barrier.h - pages that have nothing to read: shells filled by JavaScript, and bot walls.
 *
 * Both come with status 200. A shell is a page of few words that a script would fill; brood
 * runs no scripts. A wall asks its visitors to prove that they are human; brood is not, and
 * does not pretend to be. Neither is a document: if they were stored, they would look like
 * pages, and like each other.
 */
#pragma once

#include "flow.h"

/* Returns DROP_SCRIPT, DROP_WALL or DROP_NONE. `payload` is what the page was parsed from. */
enum drop barrier_of(const struct page *page, struct str payload);
