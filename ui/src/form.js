// form.js - fields of a form: label, help and mistakes, connected for screen readers too. The
// server checks the values. SPDX-License-Identifier: MIT
import { h } from './dom.js';

// {name, label, help, kind, value, placeholder, mode, choices, units}. kind: '' (a line),
// 'area', 'choice', 'flag', 'amount' (a number and one of `units`: [suffix, words]).
export function field(f) {
  const id = `new-${f.name.replaceAll('.', '-')}`;
  const common = { id, name: f.name, autocomplete: 'off', 'aria-describedby': `${id}-help ${id}-error` };
  const input = makeInput(f, common);
  const unit = f.kind === 'amount' ? unitChoice(f, id) : null;
  const help = h('p', { class: 'note', id: `${id}-help` }, f.help || '');
  const error = h('p', { class: 'error', id: `${id}-error`, 'aria-live': 'polite', hidden: true });
  if (unit)
    input.addEventListener('input', () => {
      unit.disabled = hasUnit(input.value); // typed text wins
    });
  const node = h(
    'div',
    { class: `field ${f.kind === 'flag' ? 'flag' : ''}` },
    h('label', { for: id }, f.label, f.small && h('small', null, f.small)),
    unit ? h('div', { class: 'amount' }, input, unit) : input,
    help,
    error,
  );
  return {
    ...f,
    node,
    input,
    touched: false,
    say: (text) => {
      help.textContent = text;
    },
    // The value as on the command line; '' or false: not given.
    get value() {
      if (f.kind === 'flag') return input.checked;
      const text = input.value.trim();
      return unit && text && !hasUnit(text) ? text + unit.value : text;
    },
    // For going back to a form that was left.
    get typed() {
      return f.kind === 'flag' ? input.checked : [input.value, unit?.value];
    },
    set typed(v) {
      if (f.kind === 'flag') input.checked = v;
      else input.value = v[0];
      if (unit && v[1]) unit.value = v[1];
      if (unit) unit.disabled = hasUnit(input.value);
    },
    fail(sentence) {
      const text = sentence ? sentence[0].toUpperCase() + sentence.slice(1) : '';
      if (error.textContent === text) return;
      error.textContent = text;
      error.hidden = !text;
      if (text) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    },
  };
}

const hasUnit = (text) => /[a-z]\s*$/i.test(text);

function makeInput(f, common) {
  if (f.kind === 'area')
    return h('textarea', {
      ...common,
      rows: f.rows || 4,
      spellcheck: 'false',
      placeholder: f.placeholder,
      value: f.value ?? '',
    });
  if (f.kind === 'choice')
    return h(
      'select',
      common,
      f.choices.map((c) => h('option', { value: c, selected: c === f.value }, c)),
    );
  if (f.kind === 'flag') return h('input', { ...common, type: 'checkbox', checked: f.value === true });
  return h('input', {
    ...common,
    type: 'text',
    value: f.value ?? '',
    placeholder: f.placeholder,
    inputmode: f.kind === 'amount' ? 'decimal' : f.mode,
    spellcheck: 'false',
  });
}

const unitChoice = (f, id) =>
  h(
    'select',
    { id: `${id}-unit`, 'aria-label': `${f.label}: unit` },
    f.units.map(([suffix, words]) => h('option', { value: suffix, selected: suffix === f.unit }, words)),
  );

// Two or three ways, of which one is chosen: radio buttons that look like one button.
// options: [value, words]; chosen(value) is called for every change.
export function ways(name, label, options, value, chosen) {
  const inputs = options.map(([v, words]) => {
    const input = h('input', {
      type: 'radio',
      name,
      value: v,
      checked: v === value,
      onchange: () => chosen(v),
    });
    return { input, node: h('label', null, input, h('span', null, words)) };
  });
  return {
    node: h(
      'div',
      { class: 'ways', role: 'radiogroup', 'aria-label': label },
      inputs.map((i) => i.node),
    ),
    get value() {
      return inputs.find((i) => i.input.checked).input.value;
    },
    set value(v) {
      for (const i of inputs) i.input.checked = i.input.value === v;
    },
  };
}
