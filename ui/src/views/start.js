// start.js - the form: a topic, places to start, a model, limits. SPDX-License-Identifier: MIT
import { h, fill, icon } from '../dom.js';
import { get, post, canChange } from '../api.js';
import { go } from '../router.js';
import { started } from '../started.js';
import { toast } from '../dialog.js';
import { into } from '../live.js';
import { words, number } from '../format.js';

const FIELDS = [
  { name: 'topic', label: 'Topic', help: 'words, best those that good pages have in common', required: true },
  { name: 'seeds', label: 'Places to start', help: 'addresses, one a line', kind: 'area', required: true },
];

const LIMITS = [
  { name: 'pages', label: 'Pages', help: 'stop after so many', value: '500', mode: 'numeric', is: 'count' },
  { name: 'for', label: 'Time', help: 'such as 10m, 2h', is: 'time' },
  { name: 'bytes', label: 'Bytes', help: 'such as 500M, 2Gi', is: 'size' },
];

const MANNERS = [
  {
    name: 'delay',
    label: 'Pause between two visits of a host',
    help: 'such as 1s; at least what the host wishes',
    is: 'time',
  },
  { name: 'scope', label: 'Scope', help: 'same-host, same-site, or a pattern; empty: the whole web' },
  {
    name: 'contact',
    label: 'Contact',
    help: 'mail or address that site owners see; needed on the public web',
  },
];

const NETWORK = [
  {
    name: 'allow_private',
    label: 'Private addresses',
    help: 'visit machines of this network, too',
    kind: 'flag',
  },
  { name: 'resolve', label: 'Resolve', help: 'HOST:PORT:ADDR[/BITS][:PORT]: where a name leads' },
];

// How a value has to look, and what to say where it does not.
const SHAPES = {
  count: [/^\d+$/, 'Give a whole number.'],
  time: [/^\d+(\.\d+)?\s*(us|ms|s|m|min|h|d|w)?$/, 'Give a time such as 500ms, 10m or 2h.'],
  size: [/^\d+(\.\d+)?\s*[kKMGT]?i?B?$/, 'Give a size such as 500M or 2Gi.'],
};

// A field: what is wrong with it stands under it.
function field(f) {
  const id = `new-${f.group ? f.group + '-' : ''}${f.name}`;
  const common = { id, name: f.name, 'aria-describedby': `${id}-help`, autocomplete: 'off' };
  let input;
  if (f.kind === 'area') input = h('textarea', { ...common, rows: 4, spellcheck: 'false' });
  else if (f.kind === 'choice')
    input = h(
      'select',
      common,
      f.choices.map((c) => h('option', { value: c, selected: c === f.value }, c)),
    );
  else if (f.kind === 'flag') input = h('input', { ...common, type: 'checkbox', checked: f.value === true });
  else
    input = h('input', {
      ...common,
      type: 'text',
      value: f.value ?? '',
      placeholder: f.placeholder,
      inputmode: f.mode,
    });
  const error = h('p', { class: 'error', role: 'alert', hidden: true });
  const node = h(
    'div',
    { class: `field ${f.kind === 'flag' ? 'flag' : ''}` },
    h('label', { for: id }, f.label),
    input,
    h('p', { class: 'note', id: `${id}-help` }, f.help || ''),
    error,
  );
  return {
    ...f,
    node,
    input,
    get value() {
      return f.kind === 'flag' ? input.checked : input.value.trim();
    },
    fail(text) {
      error.textContent = text || '';
      error.hidden = !text;
      input.setAttribute('aria-invalid', String(Boolean(text)));
    },
  };
}

// An option of a model, from its table.
function modelField(o) {
  const range =
    typeof o.min === 'number' && typeof o.max === 'number' && o.min < o.max
      ? ` (${number(o.min)} to ${number(o.max)})`
      : '';
  const flag = o.type === 'flag' || o.type === 'bool' || o.type === 'boolean';
  return field({
    name: o.name,
    group: 'set',
    label: words(o.name),
    option: o,
    help: `${o.help || ''}${range}`,
    kind: flag ? 'flag' : o.choices && o.choices.length ? 'choice' : '',
    choices: o.choices,
    value: flag ? ['1', 'true', 'yes'].includes(String(o.default)) : o.choices ? o.default : '',
    placeholder: o.default === null || o.default === '' ? 'none' : String(o.default),
    mode: o.type === 'integer' ? 'numeric' : o.type === 'number' ? 'decimal' : undefined,
  });
}

// What is wrong with a value, before anybody is asked; '' where nothing is.
function complaint(f) {
  const o = f.option;
  if (f.value === '' || f.kind === 'flag') return f.required && f.value === '' ? 'This is needed.' : '';
  if (f.is && !SHAPES[f.is][0].test(f.value)) return SHAPES[f.is][1];
  if (!o) return '';
  if (o.type !== 'integer' && o.type !== 'number') return '';
  const v = Number(f.value);
  if (!Number.isFinite(v)) return o.choices ? '' : 'Give a number.';
  if (o.type === 'integer' && !Number.isInteger(v)) return 'Give a whole number.';
  if (typeof o.min === 'number' && v < o.min) return `At least ${number(o.min)}.`;
  if (typeof o.max === 'number' && v > o.max) return `At most ${number(o.max)}.`;
  return '';
}

const changedOptions = (fields) =>
  Object.fromEntries(
    fields
      .filter((f) =>
        f.kind === 'flag'
          ? f.value !== ['1', 'true', 'yes'].includes(String(f.option.default))
          : f.value !== '' && f.value !== f.option.default,
      )
      .map((f) => [f.name, String(f.value)]),
  );

function form(models) {
  const usable = models.filter((m) => !m.lab_only);
  const first = usable.find((m) => m.name === 'balanced') || usable[0];
  const kind = field({
    name: 'kind',
    label: 'Kind',
    kind: 'choice',
    choices: ['crawl', 'watch'],
    value: 'crawl',
    help: 'crawl: until its limits; watch: go on, and tell what is new',
  });
  const main = FIELDS.map(field);
  const model = field({
    name: 'model',
    label: 'Model',
    kind: 'choice',
    choices: usable.map((m) => m.name),
    value: first.name,
    help: '',
  });
  const limits = LIMITS.map((f) => field({ ...f, group: 'limits' }));
  const manners = MANNERS.map(field);
  const network = NETWORK.map(field);
  const about = h('p', { class: 'note model-about' });
  const place = h('div', { class: 'grid fields' });
  const options = h('details', { class: 'options' }, h('summary', null, 'Options of the model'), place);
  const general = h('p', { class: 'error', role: 'alert', hidden: true });
  const send = h(
    'button',
    { class: 'main', type: 'submit', disabled: !canChange.value },
    icon('run'),
    'Start',
  );
  let set = [];

  function chooseModel() {
    const m = usable.find((x) => x.name === model.input.value);
    about.textContent = `${m.summary}. Source: ${m.source}`;
    set = (m.options || []).map(modelField);
    fill(
      place,
      set.map((f) => f.node),
    );
    options.hidden = set.length === 0;
  }
  model.input.addEventListener('change', chooseModel);
  chooseModel();

  const all = () => [kind, ...main, model, ...limits, ...manners, ...network, ...set];

  function check() {
    let bad = null;
    for (const f of all()) {
      const text = complaint(f);
      f.fail(text);
      if (text && !bad) bad = f;
    }
    return bad;
  }

  // A refusal names a field, or its sentence begins with the name of one.
  function place_(e) {
    const said = e.body?.field || /^(?:--|option )?'?([a-z_-]+)'?[ :]/i.exec(e.message)?.[1];
    const f = all().find(
      (x) => x.name === said || `--${x.name}` === said || (said === 'seed' && x.name === 'seeds'),
    );
    if (f) {
      f.fail(e.message);
      if (set.includes(f)) options.open = true;
      f.input.focus();
    } else {
      general.textContent = e.message;
      general.hidden = false;
    }
  }

  const values = (fields) =>
    Object.fromEntries(
      fields.filter((f) => f.value !== '' && f.value !== false).map((f) => [f.name, f.value]),
    );

  async function submit(e) {
    e.preventDefault();
    general.hidden = true;
    const bad = check();
    if (bad) {
      if (set.includes(bad)) options.open = true;
      bad.input.focus();
      return;
    }
    const limitValues = values(limits);
    if (/^\d+$/.test(limitValues.pages || '')) limitValues.pages = +limitValues.pages;
    send.disabled = true;
    try {
      const made = await post('/api/crawls', {
        kind: kind.value,
        topic: main[0].value,
        seeds: main[1].value.split(/\s+/).filter(Boolean),
        model: model.value,
        set: changedOptions(set),
        limits: limitValues,
        ...values([...manners, ...network]),
      });
      started.set(made.id, made.log);
      toast('Started.');
      go({ id: made.id, view: 'overview', params: {} });
    } catch (problem) {
      place_(problem);
    }
    send.disabled = !canChange.value;
  }

  return h(
    'form',
    { class: 'start', novalidate: true, onsubmit: submit },
    !canChange.value &&
      h('p', { class: 'trouble' }, 'To start a crawl, open the address that brood printed: it has the key.'),
    h(
      'section',
      { class: 'panel' },
      main.map((f) => f.node),
    ),
    h(
      'section',
      { class: 'panel' },
      h('div', { class: 'grid fields' }, model.node, kind.node),
      about,
      options,
    ),
    h(
      'section',
      { class: 'panel' },
      h('h2', null, 'Limits'),
      h(
        'div',
        { class: 'grid fields' },
        limits.map((f) => f.node),
      ),
    ),
    h(
      'section',
      { class: 'panel' },
      h('h2', null, 'Manners'),
      h(
        'div',
        { class: 'grid fields' },
        manners.map((f) => f.node),
      ),
      h(
        'details',
        { class: 'options' },
        h('summary', null, 'Network'),
        h(
          'div',
          { class: 'grid fields' },
          network.map((f) => f.node),
        ),
      ),
    ),
    general,
    h('div', { class: 'row end' }, send),
  );
}

function mount(root) {
  const place = h('div');
  fill(root, h('h1', null, 'New crawl'), place);
  into(place, () => get('/api/models'), form);
}

export default { key: 'new', label: 'New crawl', icon: 'plus', mount };
