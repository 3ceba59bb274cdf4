// snippet.js - an extract of a page with the words searched for marked: the server puts them
// between U+0002 and U+0003. SPDX-License-Identifier: MIT
import { h } from './dom.js';

export const snippet = (text) =>
  (text || '').split('\u0002').flatMap((part, i) => {
    if (i === 0) return [part];
    const [hit, ...rest] = part.split('\u0003');
    return [h('mark', null, hit), rest.join('')];
  });
