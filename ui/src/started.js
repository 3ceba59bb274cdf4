// started.js - crawls started from this page that have nothing to show yet: id -> the file
// where they write what went wrong. SPDX-License-Identifier: MIT
export const started = new Map();
