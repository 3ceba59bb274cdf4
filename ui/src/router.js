// router.js - where the user is, kept after the '#': "#/ID/view?key=value".
//
// A token there (as brood prints it: "#token=…") is removed at once, so that it does not stay in
// the history. SPDX-License-Identifier: MIT
import { signal } from './signal.js';
import { keepToken } from './api.js';

export const place = signal({ id: '', view: '', params: {} });

function read() {
  const hash = location.hash.replace(/^#/, '');
  const token = /(?:^|[&?])token=([0-9a-f]{16,64})/i.exec(hash);
  if (token) {
    keepToken(token[1]);
    const rest = hash.replace(token[0], '').replace(/^[&?]/, '');
    history.replaceState(null, '', rest ? `#${rest}` : location.pathname);
    return read();
  }
  const [path, search] = hash.replace(/^\//, '').split('?');
  const [id = '', view = ''] = path.split('/').map(decodeURIComponent);
  return { id, view, params: Object.fromEntries(new URLSearchParams(search || '')) };
}

export function address({ id, view, params = {} }) {
  const search = new URLSearchParams(
    Object.entries(params).filter(([, v]) => v !== '' && v !== undefined && v !== null),
  ).toString();
  return `#/${encodeURIComponent(id)}/${view}${search ? '?' + search : ''}`;
}

// go({view: 'tree'}): parts that are not named stay; parameters of another view do not.
export function go(to, replace = false) {
  const now = place.value;
  const next = {
    id: to.id ?? now.id,
    view: to.view ?? now.view,
    params: to.params ?? (to.view || to.id ? {} : now.params),
  };
  const hash = address(next);
  if (replace) history.replaceState(null, '', hash);
  else if (location.hash !== hash) history.pushState(null, '', hash);
  place.set(next);
}

// Changes some parameters of the place: card: {page: 5}, or null to remove.
export function alter(params, replace = false) {
  const next = { ...place.value.params };
  for (const [k, v] of Object.entries(params)) {
    if (v === null || v === undefined || v === '') delete next[k];
    else next[k] = String(v);
  }
  go({ params: next }, replace);
}

// Has the address changed already, although the event for it has not come yet?
export const isLeaving = () => JSON.stringify(read()) !== JSON.stringify(place.value);

export function startRouter() {
  const hear = () => place.set(read());
  addEventListener('hashchange', hear);
  addEventListener('popstate', hear);
  hear();
}
