// api.js - the server: requests, commands, the stream of events.
//
// Reading needs no token. Commands need the token that `brood serve` printed after the '#' of its
// address; it is kept as long as this tab is open.
// SPDX-License-Identifier: MIT
import { signal } from './signal.js';

let memory = null;

export const canChange = signal(false);

export function keepToken(token) {
  memory = token;
  try {
    sessionStorage.setItem('token', token);
  } catch {
    /* then only until the next reload */
  }
  canChange.set(true);
}

export function loadToken() {
  try {
    memory = memory || sessionStorage.getItem('token');
  } catch {
    /* no storage */
  }
  canChange.set(Boolean(memory));
}

export class Refusal extends Error {
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.body = body || {};
  }
}

async function answer(reply) {
  const text = await reply.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    /* said below */
  }
  if (!reply.ok) {
    const why = body && body.error ? body.error : `The server answered ${reply.status} ${reply.statusText}.`;
    throw new Refusal(why, reply.status, body);
  }
  if (body === null) throw new Refusal("The server's answer is not JSON.", reply.status);
  return body;
}

async function request(path, options) {
  try {
    return await fetch(path, { credentials: 'omit', cache: 'no-store', ...options });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Refusal('The server does not answer.', 0);
  }
}

// query('a', {q: 'x', n: undefined}) -> "a?q=x"
export function query(path, params) {
  const given = Object.entries(params || {}).filter(([, v]) => v !== undefined && v !== null && v !== '');
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

export async function get(path, params, abort) {
  return answer(await request(query(path, params), { signal: abort }));
}

export async function getText(path) {
  const reply = await request(path);
  if (!reply.ok) return answer(reply);
  return reply.text();
}

export async function post(path, body) {
  try {
    return await answer(
      await request(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Brood-Token': memory || '' },
        body: JSON.stringify(body || {}),
      }),
    );
  } catch (e) {
    if (e.status !== 403 && e.status !== 401) throw e;
    canChange.set(false);
    throw new Refusal(
      'Looking only: the key in the address is missing or not valid any longer. Open the address that brood printed.',
      e.status,
    );
  }
}

export const crawlPath = (id, rest = '') => `/api/crawls/${encodeURIComponent(id)}${rest ? '/' + rest : ''}`;

// ---- events ----

export const online = signal(true);

// listen(id, {tick, state}): calls these with the events, and keeps trying to reconnect when the
// server is gone. Returns a function that ends it.
export function listen(id, handlers) {
  let source = null;
  let timer = null;
  let ended = false;

  function open() {
    if (ended) return;
    source = new EventSource(query('/api/events', { crawl: id }));
    source.onopen = () => {
      online.set(true);
      handlers.open?.();
    };
    source.onerror = () => {
      online.set(false);
      // The browser reconnects after a broken connection, but not after a refused one.
      if (source.readyState === EventSource.CLOSED) again();
    };
    for (const kind of ['tick', 'state']) {
      source.addEventListener(kind, (e) => {
        let data = null;
        try {
          data = JSON.parse(e.data);
        } catch {
          return;
        }
        handlers[kind]?.(data);
      });
    }
  }

  function again() {
    source.close();
    clearTimeout(timer);
    timer = setTimeout(open, 1500);
  }

  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}
