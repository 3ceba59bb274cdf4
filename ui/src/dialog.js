// dialog.js - windows over the page, and messages that disappear by themselves. Esc and a click
// beside a window close it. SPDX-License-Identifier: MIT
import { h, icon } from './dom.js';

// dialog({title, class, close}): a modal window; the answer has body, title and end().
export function dialog({ title, kind = 'box', closed }) {
  const heading = h('h2', null, title);
  const body = h('div', { class: 'dialog-body' });
  const node = h(
    'dialog',
    { class: `dialog ${kind}`, 'aria-label': title },
    h(
      'div',
      { class: 'dialog-in' },
      h(
        'header',
        { class: 'dialog-head' },
        heading,
        h(
          'button',
          { class: 'quiet close', 'aria-label': 'Close', title: 'Close (Esc)', onclick: () => node.close() },
          icon('close'),
        ),
      ),
      body,
    ),
  );
  node.addEventListener('click', (e) => {
    if (e.target === node) node.close();
  });
  node.addEventListener('close', () => {
    node.remove();
    closed?.();
  });
  document.body.append(node);
  node.showModal();
  return { node, body, heading, end: () => node.close() };
}

// A form in a window: fields are {name, label, help, kind, value}; send(values) may throw: the
// message is then shown under the field that it names, or under the last one.
export function ask({ title, text, fields, button, send, danger }) {
  const inputs = fields.map((f) => {
    const input =
      f.kind === 'area'
        ? h('textarea', { id: `ask-${f.name}`, rows: 5, spellcheck: 'false', placeholder: f.placeholder })
        : h('input', {
            id: `ask-${f.name}`,
            type: 'text',
            value: f.value ?? '',
            placeholder: f.placeholder,
            inputmode: f.mode,
            autocomplete: 'off',
          });
    const error = h('p', { class: 'error', role: 'alert', hidden: true });
    return {
      f,
      input,
      error,
      node: h(
        'div',
        { class: 'field' },
        h('label', { for: `ask-${f.name}` }, f.label),
        input,
        f.help && h('p', { class: 'note' }, f.help),
        error,
      ),
    };
  });
  const general = h('p', { class: 'error', role: 'alert', hidden: true });
  const submit = h('button', { class: danger ? 'danger' : 'main', type: 'submit' }, button);
  const form = h(
    'form',
    {
      onsubmit: async (e) => {
        e.preventDefault();
        submit.disabled = true;
        general.hidden = true;
        inputs.forEach((i) => {
          i.error.hidden = true;
        });
        try {
          await send(Object.fromEntries(inputs.map((i) => [i.f.name, i.input.value.trim()])));
          window_.end();
        } catch (problem) {
          const at = inputs.find((i) => problem.body?.field === i.f.name || problem.field === i.f.name);
          const place = at ? at.error : general;
          place.textContent = problem.message;
          place.hidden = false;
          submit.disabled = false;
        }
      },
    },
    text && h('p', null, text),
    inputs.map((i) => i.node),
    general,
    h(
      'div',
      { class: 'row end' },
      h('button', { type: 'button', onclick: () => window_.end() }, 'Cancel'),
      submit,
    ),
  );
  const window_ = dialog({ title });
  window_.body.append(form);
  (inputs[0]?.input || submit).focus();
}

let shelf = null;

export function toast(text, bad = false) {
  if (!shelf) {
    shelf = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
    document.body.append(shelf);
  }
  if ([...shelf.children].some((t) => t.textContent === text)) return;
  const node = h('div', { class: `toast ${bad ? 'bad' : ''}` }, text);
  shelf.append(node);
  setTimeout(() => node.remove(), bad ? 7000 : 3500);
}
