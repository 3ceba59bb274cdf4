// start.js - the form: a topic, places to start, a crawl or a watch, a model, limits.
//
// What is wrong is asked of the server (POST /api/crawls/check), which reads the form as the
// command line would be read: while one writes, for what was touched; before the start, for
// everything. The same answer has the command line. SPDX-License-Identifier: MIT
import { h, fill, icon, say } from '../dom.js';
import { get, post, canChange } from '../api.js';
import { go } from '../router.js';
import { draft, started } from '../started.js';
import { field, ways } from '../form.js';
import { FILE, KINDS, LIMITS, MANNERS, NETWORK, PACE, SEARCH, SEEDS, WATCH, WORDS } from '../start_fields.js';
import { hasManual, showManual } from '../manual.js';
import { toast } from '../dialog.js';
import { into } from '../live.js';

// An option of a model, from its table. The default is what an empty field means.
function modelField(o, label) {
  const flag = o.type === 'flag';
  const standard = o.default === null || o.default === '' ? 'none' : o.default;
  return field({
    name: `set.${o.name}`,
    label: label || o.name,
    small: flag || o.choices ? null : `default ${standard}`,
    help: `${label ? `${o.name}: ` : ''}${[o.help, !o.choices && !flag && o.range].filter(Boolean).join('; ')}`,
    kind: flag ? 'flag' : o.choices ? 'choice' : '',
    choices: o.choices,
    value: flag ? isYes(o.default) : o.choices ? o.default : '',
    placeholder: String(standard),
    mode: o.type === 'integer' && !(o.min < 0) ? 'numeric' : undefined,
    option: o,
  });
}

const isYes = (text) => ['yes', 'true', 'on', '1'].includes(String(text));
const isChanged = (f) =>
  f.kind === 'flag' ? f.value !== isYes(f.option.default) : f.value !== '' && f.value !== f.option.default;

const lines = (text) =>
  text
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean);

// {a: 1, 'limits.b': 2} of fields that hold something, as the server takes it.
function bodyOf(fields) {
  const body = {};
  for (const f of fields) {
    if (f.option ? !isChanged(f) : f.value === '' || f.value === false || f.value === f.means) continue;
    const value = f.option ? String(f.value) : f.kind === 'area' ? lines(f.value) : f.value;
    const [first, second] = f.name.split(/\.(.*)/);
    if (second === undefined) body[first] = value;
    else (body[first] ||= {})[second] = value;
  }
  return body;
}

// The parts of the form that depend on the model.
function modelPart(models, changed) {
  const select = field({ name: 'model', label: 'Model', kind: 'choice', choices: [], help: '' });
  const about = h('span');
  const source = h('p', { class: 'note' });
  const more = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => showManual(select.value) },
    'What it does, and why',
  );
  const pace = h('div', { class: 'pace' });
  const place = h('div', { class: 'grid fields' });
  const general = h('p', { class: 'error', role: 'alert', hidden: true });
  const title = h('summary');
  const fold = h('details', { class: 'options' }, title, general, place);
  const part = { select, fold, general, set: [], node: null, paceNode: pace };
  const found = () => models.find((m) => m.name === select.value);

  part.choose = (kind) => {
    const m = found();
    say(about, `${m.summary[0].toUpperCase()}${m.summary.slice(1)}. `);
    say(source, `After ${m.source}`);
    more.hidden = !hasManual(m.name);
    const label = (o) => (kind === 'watch' ? PACE[o.name] : null);
    part.set = (m.options || []).map((o) => modelField(o, label(o)));
    const first = part.set.filter((f) => label(f.option));
    const rest = part.set.filter((f) => !first.includes(f));
    fill(
      pace,
      first.map((f) => f.node),
    );
    fill(
      place,
      rest.map((f) => f.node),
    );
    say(title, `Options of ${m.name} (${rest.length})`);
    fold.hidden = rest.length === 0;
    general.hidden = true;
  };
  // Which models a kind can have; the one that was chosen stays where it is among them.
  part.offer = (kind) => {
    const fit = models.filter((m) => kind === 'crawl' || m.revisits).map((m) => m.name);
    const wanted = kind === 'watch' ? 'foragers' : 'balanced';
    const now = fit.includes(select.value) && kind === 'watch' ? select.value : wanted;
    fill(
      select.input,
      fit.map((name) => h('option', { value: name, selected: name === now }, name)),
    );
    select.say(
      kind === 'watch' ? 'those that visit a page more than once' : 'who decides which link is next',
    );
    part.choose(kind);
  };
  select.input.addEventListener('change', changed);
  part.node = [
    h(
      'div',
      { class: 'grid fields' },
      select.node,
      h('div', { class: 'model-about' }, h('p', null, about, more), source),
    ),
  ];
  return part;
}

// The command line of the form; a button copies it.
function commandPart() {
  const text = h('code', { class: 'command', tabindex: '0', 'aria-label': 'Command line' });
  const copy = h('button', { type: 'button', class: 'quiet', onclick: copyIt }, 'Copy');

  async function copyIt() {
    try {
      await navigator.clipboard.writeText(text.textContent);
      toast('Copied.');
    } catch {
      getSelection().selectAllChildren(text); // no clipboard here: the keyboard can take it
      toast('Selected: copy it with Ctrl+C.');
    }
  }
  return {
    node: h(
      'section',
      { class: 'panel' },
      h('div', { class: 'row between' }, h('h2', null, 'The same on the command line'), copy),
      text,
    ),
    // The names of options are not split when the line wraps.
    set(command) {
      if (command === text.textContent) return;
      fill(
        text,
        command.split(/( --\S+)/).map((part, i) => (i % 2 ? [' ', h('span', null, part.slice(1))] : part)),
      );
    },
  };
}

const panel = (title, ...body) => h('section', { class: 'panel' }, h('h2', null, title), body);
const grid = (fields) =>
  h(
    'div',
    { class: 'grid fields' },
    fields.map((f) => f.node),
  );

function form(models) {
  const usable = models.filter((m) => !m.lab_only);
  const topic = [field(WORDS), field(FILE)];
  const seeds = field(SEEDS);
  const search = SEARCH.map(field);
  const limits = LIMITS.map(field);
  const manners = MANNERS.map(field);
  const network = NETWORK.map(field);
  const watching = WATCH.map((f) => field({ ...f, means: f.value }));
  const part = modelPart(usable, () => {
    part.choose(kind.value);
    soon();
  });
  const command = commandPart();
  const kindNote = h('p', { class: 'note' });
  const watchPart = h(
    'div',
    { class: 'grid fields' },
    part.paceNode,
    watching.map((f) => f.node),
  );
  const searchFold = h('details', { class: 'options' }, h('summary', null, 'Search engine'), grid(search));
  const networkFold = h('details', { class: 'options' }, h('summary', null, 'Network'), grid(network));
  const general = h('p', { class: 'error', role: 'alert', hidden: true });
  const send = h(
    'button',
    { class: 'main', type: 'submit', disabled: !canChange.value },
    icon('run'),
    'Start',
  );
  const kind = ways(
    'kind',
    'Kind',
    [
      ['crawl', 'Crawl'],
      ['watch', 'Watch'],
    ],
    'crawl',
    chooseKind,
  );
  const from = ways(
    'topic-from',
    'The topic is given as',
    [
      ['topic', 'Words'],
      ['topic_file', 'Topic file'],
    ],
    'topic',
    chooseTopic,
  );

  const shown = () => [
    ...topic.filter((f) => f.name === from.value),
    seeds,
    ...search,
    part.select,
    ...(kind.value === 'watch' ? watching : []),
    ...part.set,
    ...limits,
    ...manners,
    ...network,
  ];

  function chooseTopic() {
    for (const f of topic) f.node.hidden = f.name !== from.value;
    soon();
  }

  function chooseKind() {
    const watch = kind.value === 'watch';
    say(kindNote, KINDS[kind.value]);
    part.offer(kind.value);
    watchPart.hidden = !watch;
    const pages = limits[0].input;
    if (pages.value === (watch ? LIMITS[0].value : '')) pages.value = watch ? '' : LIMITS[0].value;
    soon();
  }

  const body = () => ({ kind: kind.value, ...bodyOf(shown()) });

  // ---- mistakes ----

  // Every one at its field; those of fields that were not touched only when `all`. The
  // first field at fault, in the order of the page.
  function show(mistakes, all) {
    const left = new Map(mistakes.map((m) => [m.field, m.error]));
    let first = null;
    for (const f of shown()) {
      const text = all || f.touched ? left.get(f.name) : '';
      f.fail(text);
      if (text && all) unfold(f);
      left.delete(f.name);
      if (text && !first) first = f;
    }
    const together = left.get('set') || '';
    say(part.general, together);
    part.general.hidden = !together;
    left.delete('set');
    if (together && !first) first = part.set.find((f) => mentions(together, f.option.name)) || part.set[0];
    const rest = all ? [...left.values()].join(' ') : '';
    say(general, rest);
    general.hidden = !rest;
    return first;
  }

  const mentions = (sentence, name) => sentence.split(/[^A-Za-z0-9_]+/).includes(name);

  function unfold(f) {
    const fold = f.node.closest('details');
    if (fold) fold.open = true;
  }

  function reveal(f) {
    unfold(f);
    f.input.focus();
  }

  // ---- checking while the user types ----

  let timer = null;
  let asked = 0;

  async function check(all) {
    const number = ++asked;
    clearTimeout(timer);
    const answer = await post('/api/crawls/check', body());
    if (number !== asked) return null; // the user has typed meanwhile
    command.set(answer.command);
    return { first: show(answer.mistakes, all), mistakes: answer.mistakes };
  }

  function soon() {
    asked++;
    clearTimeout(timer);
    if (!canChange.value) return;
    timer = setTimeout(() => check(false).catch(() => {}), 300);
  }

  function touch(e) {
    const f = shown().find((x) => x.input === e.target || x.node.contains(e.target));
    if (!f) return;
    if (e.type === 'focusout') f.touched ||= f.value !== '' && f.value !== false;
    else f.fail(''); // the field being typed in gets no complaint
    soon();
  }

  // ---- the start ----

  async function submit(e) {
    e.preventDefault();
    send.disabled = true;
    try {
      const answer = await check(true);
      if (answer?.first) reveal(answer.first);
      if (answer && answer.mistakes.length === 0) {
        draft.values = { kind: kind.value, from: from.value, fields: shown().map((f) => [f.name, f.typed]) };
        const made = await post('/api/crawls', body());
        started.set(made.id, made.log);
        go({ id: made.id, view: 'overview', params: {} });
      }
    } catch (problem) {
      const all = problem.body?.mistakes || [{ field: null, error: problem.message }];
      const first = show(all, true);
      if (first) reveal(first);
    }
    send.disabled = !canChange.value;
  }

  // Restores the fields after a start that failed.
  function recall() {
    if (!draft.values) return;
    kind.value = draft.values.kind;
    from.value = draft.values.from;
    chooseTopic();
    chooseKind();
    const typed = new Map(draft.values.fields);
    part.select.typed = typed.get('model');
    part.choose(kind.value);
    for (const f of shown()) if (typed.has(f.name)) f.typed = typed.get(f.name);
  }

  chooseTopic();
  chooseKind();
  recall();
  command.set('brood crawl');
  return h(
    'form',
    { class: 'start', novalidate: true, onsubmit: submit, oninput: touch, onfocusout: touch },
    !canChange.value &&
      h('p', { class: 'trouble' }, 'To start a crawl, open the address that brood printed: it has the key.'),
    panel(
      'What to look for',
      from.node,
      topic.map((f) => f.node),
      seeds.node,
      searchFold,
    ),
    panel('How', kind.node, kindNote, part.node, watchPart, part.fold),
    panel('Limits', grid(limits)),
    panel('Manners', grid(manners), networkFold),
    command.node,
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
