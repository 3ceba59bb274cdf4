// signal.js - a value with listeners. SPDX-License-Identifier: MIT

export function signal(value) {
  const listeners = new Set();
  return {
    get value() {
      return value;
    },
    set(next) {
      value = next;
      for (const fn of [...listeners]) fn(value);
    },
    // Calls fn on every change; returns a function that ends it.
    on(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}
