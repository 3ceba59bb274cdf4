// started.js - crawls started from this page, and where they write what went wrong.
// SPDX-License-Identifier: MIT
export const started = new Map(); // id -> log file
