// main.js - the shell: crawls, tabs, the head with its buttons, and the view in the middle.
//
// A view is {key, label, icon, when(overview) -> shown, mount(root, ctx)}. ctx is all that it gets:
// the crawl's id, its overview (a signal that the events update), `changed` (ticks), and onEnd()
// for functions to call at its end. SPDX-License-Identifier: MIT
import '../css/app.css';
import { h, fill, icon, say } from './dom.js';
import { signal } from './signal.js';
import { get, crawlPath, listen, online, loadToken, canChange } from './api.js';
import { place, go, startRouter } from './router.js';
import { applyTheme, best, chooseTheme, themeChoice } from './colour.js';
import { empty, failure, isLive, loading } from './live.js';
import { count, crawlName, instant } from './format.js';
import { head } from './head.js';
import { started, draft, cameToNothing, nothing } from './started.js';
import { card } from './card.js';
import { STATES, homeTable } from './home.js';
import overview from './views/overview.js';
import population from './views/population.js';
import tree from './views/tree.js';
import results from './views/results.js';
import map from './views/map.js';
import crew from './views/crew.js';
import watch from './views/watch.js';
import compare from './views/compare.js';
import start from './views/start.js';

const VIEWS = [overview, population, tree, results, map, crew, watch, compare, start];
const ALONE = new Set([compare, start]); // those that need no crawl

const crawls = signal(null); // null: not loaded yet
const current = signal(null); // overview of the crawl that is shown
const changed = signal(0); // increased with every tick

// ---- the frame ----

const main = h('main', { id: 'main', class: 'view', role: 'tabpanel', tabindex: '-1' });
const banner = h(
  'div',
  { class: 'banner', role: 'status', hidden: true },
  h('span', { class: 'spinner' }),
  h('span', null, 'The server does not answer. What you see is as it was; trying again…'),
  h('span', { class: 'if-ended' }),
);
const locked = h(
  'p',
  { class: 'note lock', hidden: true },
  'Looking only: to pause, stop or start a crawl, open the address that brood printed.',
);
const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
const crawlList = h('div', { class: 'crawls' });
const problem = h('p', { class: 'trouble problem', role: 'alert', hidden: true });
const headPlace = h('div', { class: 'head-place' });

const THEMES = { auto: ['auto', 'as the system'], light: ['sun', 'light'], dark: ['moon', 'dark'] };
const themeButton = h('button', {
  class: 'quiet theme',
  onclick: () => {
    const names = Object.keys(THEMES);
    chooseTheme(names[(names.indexOf(themeChoice()) + 1) % names.length]);
    drawTheme();
  },
});

function drawTheme() {
  const [shape, words] = THEMES[themeChoice()];
  fill(themeButton, icon(shape), h('span', null, `Colours: ${words}`));
  themeButton.title = `Colours: ${words}`;
}

function drawFrame() {
  fill(
    document.body,
    h(
      'a',
      {
        class: 'skip',
        href: '#main',
        onclick: (e) => {
          e.preventDefault();
          main.focus();
        },
      },
      'To the content',
    ),
    h(
      'div',
      { class: 'frame' },
      h(
        'aside',
        { class: 'rail' },
        h(
          'a',
          { class: 'brand', href: '#/', title: 'All crawls' },
          h('img', { src: '/favicon.svg', alt: '', width: 22, height: 22 }),
          'brood',
        ),
        crawlList,
        tabs,
        h('div', { class: 'rail-foot' }, locked, themeButton),
      ),
      h('div', { class: 'middle' }, banner, headPlace, problem, main),
    ),
  );
  drawTheme();
}

// ---- tabs ----

// A dashboard over the nodes of a crawl shows that crawl alone, and starts none.
const isFar = () => (crawls.value || []).some((c) => c.far);

function shownViews() {
  const o = current.value;
  return VIEWS.filter((v) => (ALONE.has(v) ? !isFar() : place.value.id && (!v.when || (o && v.when(o)))));
}

function drawTabs() {
  const views = shownViews();
  const now = place.value.view;
  const known = [...tabs.children].map((t) => t.dataset.view).join();
  if (known !== views.map((v) => v.key).join()) {
    fill(
      tabs,
      views.map((v) =>
        h(
          'button',
          {
            role: 'tab',
            data: { view: v.key },
            id: `tab-${v.key}`,
            'aria-controls': 'main',
            onclick: () => go({ view: v.key, params: {} }),
          },
          icon(v.icon),
          h('span', null, v.label),
        ),
      ),
    );
  }
  for (const tab of tabs.children) {
    const chosen = tab.dataset.view === now;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen || (!now && tab === tabs.firstChild) ? 0 : -1;
    if (!chosen) continue;
    main.setAttribute('aria-labelledby', tab.id);
    tabs.scrollTo({ left: tab.offsetLeft - tabs.clientWidth / 2 + tab.offsetWidth / 2 });
  }
}

tabs.addEventListener('keydown', (e) => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -99, End: 99 }[e.key];
  if (!step) return;
  e.preventDefault();
  const all = [...tabs.children];
  const to = Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement) + step));
  all[to].focus();
  all[to].click();
});

// ---- the list of crawls ----

function drawCrawls() {
  const list = crawls.value || [];
  const chosen = place.value.id;
  fill(
    crawlList,
    h('label', { class: 'rail-title', for: 'crawl-choice' }, `Crawls (${count(list.length)})`),
    h(
      'select',
      {
        id: 'crawl-choice',
        'aria-label': 'Crawl',
        onchange: (e) => go({ id: e.target.value, view: 'overview' }),
      },
      !list.some((c) => c.id === chosen) &&
        h('option', { value: '', disabled: true, selected: true }, list.length ? 'choose one' : 'none yet'),
      list.map((c) =>
        h(
          'option',
          { value: c.id, selected: c.id === chosen },
          `${crawlName(c)} · ${(STATES[c.state] || [0, c.state])[1]}${c.model ? ` · ${c.model}` : ''}`,
        ),
      ),
    ),
  );
}

// Those that run, then the newest.
function sorted(list) {
  const rank = (c) => (isLive(c) ? 0 : 1);
  return [...list].sort(
    (a, b) => rank(a) - rank(b) || (instant(b.started_at) || 0) - (instant(a.started_at) || 0),
  );
}

async function loadCrawls() {
  try {
    const list = await get('/api/crawls');
    crawls.set(sorted(list));
    return crawls.value;
  } catch (e) {
    if (e.status === 0) online.set(false);
    if (crawls.value === null) throw e;
    return crawls.value;
  }
}

// ---- the view in the middle ----

let view = null; // {key, id, ctx}
let stopEvents = () => {};
let listening = null;

// The relevance of the best page: where the scale of colours ends.
let measured = -Infinity;
async function measure(id) {
  if (!id || performance.now() - measured < 5000) return;
  measured = performance.now();
  try {
    const row = (await get(crawlPath(id, 'pages'), { n: 1 })).rows[0];
    const top = (row?.p ?? row?.relevance) || 1;
    if (listening === id && Math.abs(top - best.value) > 0.01 * best.value) best.set(top);
  } catch {
    /* the next tick tries again */
  }
}

function follow(id) {
  if (listening === id) return;
  listening = id;
  measured = -Infinity;
  measure(id);
  stopEvents();
  current.set(null);
  const load = async () => {
    if (!id) return;
    try {
      const o = await get(crawlPath(id));
      if (listening === id) current.set(o);
    } catch (e) {
      if (listening !== id || current.value || !e.status) return;
      if (e.status === 503) {
        // A large crawl is read once before its first answer, which takes a while.
        view?.ctx.end();
        view = null;
        fill(main, loading('Reading this crawl for the first time…'));
        setTimeout(async () => {
          if (listening !== id) return;
          await load();
          if (current.value && listening === id && !view) show();
        }, 700);
        return;
      }
      fill(
        main,
        failure(e, () => {
          listening = null;
          follow(id);
        }),
      );
    }
  };
  stopEvents = listen(id, {
    open: () => {
      load();
      loadCrawls();
      changed.set(changed.value + 1);
    },
    tick: (part) => {
      if (current.value && part && !Array.isArray(part)) current.set({ ...current.value, ...part });
      if (Array.isArray(part)) crawls.set(sorted(part));
      changed.set(changed.value + 1);
      measure(id);
    },
    state: () => {
      loadCrawls();
      load();
    },
  });
  load();
}

function makeContext(id) {
  const ends = [];
  return {
    id,
    overview: current,
    changed,
    crawls,
    ended: false,
    params: place.value.params,
    path: (rest) => crawlPath(id, rest),
    onEnd: (fn) => ends.push(fn),
    // An error is shown above the view until a request succeeds again.
    fail: (e) => {
      if (e.status === 0 || (id && !current.value)) return;
      problem.textContent = e.message || String(e);
      problem.hidden = false;
    },
    ok: () => {
      problem.hidden = true;
    },
    end() {
      this.ended = true;
      ends.forEach((fn) => fn());
    },
  };
}

const isStarting = (id) => started.has(id) || crawls.value?.find((c) => c.id === id)?.state === 'starting';

// Waits until a crawl that has just been started exists.
async function awaitStart(id) {
  view?.ctx.end();
  view = null;
  follow('');
  fill(main, loading('The crawl is starting…'));
  for (let missing = 0; place.value.id === id && missing < 3;) {
    const known = (await loadCrawls().catch(() => [{ id, state: 'starting' }])).find((c) => c.id === id);
    if (known && known.state !== 'starting') {
      started.delete(id);
      if (!cameToNothing(known)) draft.values = null;
      show();
      return;
    }
    missing = known ? 0 : missing + 1;
    await new Promise((done) => {
      setTimeout(done, 400);
    });
  }
  if (place.value.id === id)
    fill(
      main,
      failure(
        new Error(
          `The crawl ended before its first page. Why, is written in ${started.get(id) || 'its log'}.`,
        ),
      ),
    );
  started.delete(id);
}

const showNothing = (row) => showAlone(nothing(row));

// Shows a node that belongs to no crawl and is not a view.
function showAlone(node) {
  view?.ctx.end();
  view = null;
  follow('');
  drawTabs();
  headPlace.hidden = true;
  main.className = 'view';
  fill(main, node);
}

// Before the list of crawls has come, it is unknown what an id stands for.
async function showFirst() {
  fill(main, loading());
  try {
    await loadCrawls();
    show();
  } catch (e) {
    fill(main, failure(e, showFirst));
  }
}

// For a bookmark of a crawl that is gone, or of another server.
async function showUnknown(id) {
  showAlone(loading());
  if ((await loadCrawls().catch(() => [])).some((c) => c.id === id)) return show();
  if (place.value.id !== id) return undefined;
  if (ALONE.has(VIEWS.find((v) => v.key === place.value.view))) return go({ id: '' }, true);
  fill(
    main,
    empty(
      'This crawl is not here',
      'Its directory may have been moved or removed, or another brood serve shows it.',
      h('button', { class: 'main', onclick: () => go({ id: '', view: '', params: {} }) }, 'All crawls'),
    ),
  );
  return undefined;
}

function show() {
  const { id, view: key } = place.value;
  const found = VIEWS.find((v) => v.key === key);
  if (!found || (!id && !ALONE.has(found))) return home();
  if (id && crawls.value === null) return showFirst();
  if (id && !ALONE.has(found) && isStarting(id)) return awaitStart(id);
  const row = crawls.value?.find((c) => c.id === id);
  if (id && !row) return showUnknown(id);
  if (!ALONE.has(found) && cameToNothing(row)) return showNothing(row);
  follow(id);
  drawTabs();
  headPlace.hidden = ALONE.has(found);
  if (view && view.key === key && view.id === id) {
    view.ctx.params = place.value.params;
    view.update?.(place.value.params);
  } else {
    view?.ctx.end();
    problem.hidden = true;
    const ctx = makeContext(id);
    view = { key, id, ctx };
    fill(main);
    main.className = `view view-${key}`;
    main.scrollTop = 0;
    view.update = found.mount(main, ctx)?.update;
  }
  card(place.value, view.ctx);
  document.title = `${found.label} · brood`;
  return undefined;
}

// Nothing chosen: the newest crawl that runs, or the newest, or an invitation.
async function home() {
  view?.ctx.end();
  view = null;
  follow('');
  drawTabs();
  headPlace.hidden = true;
  fill(main, loading());
  let list;
  try {
    list = await loadCrawls();
  } catch (e) {
    fill(main, failure(e, home));
    return;
  }
  if (view) return;
  if (place.value.id) {
    // An address without a view; or the user has gone on meanwhile.
    if (!VIEWS.some((v) => v.key === place.value.view)) go({ view: 'overview' }, true);
    return;
  }
  const live = list.filter(isLive);
  if (list.length === 1 || live.length === 1) {
    go({ id: (live[0] || list[0]).id, view: 'overview' }, true);
    return;
  }
  main.className = 'view view-home';
  fill(
    main,
    list.length
      ? homeTable(list)
      : empty(
          'No crawl yet',
          'Give a topic and a few places to start.',
          h('button', { class: 'main', onclick: () => go({ view: 'new' }) }, icon('plus'), 'New crawl'),
        ),
  );
}

// ---- the start ----

applyTheme();
loadToken();
drawFrame();
// After the server is gone a crawl is not shown as running: it may have ended with the server.
function lose(o) {
  if (o && isLive(o)) current.set({ ...o, state: 'lost' });
}
online.on((is) => {
  banner.hidden = is;
  if (!is) lose(current.value);
  const dir = current.value?.far ? null : current.value?.dir;
  say(banner.lastChild, dir ? `If it has ended: brood serve ${dir}` : '');
});
canChange.on((can) => {
  locked.hidden = can;
  document.documentElement.classList.toggle('locked', !can);
});
canChange.set(canChange.value);
crawls.on(drawCrawls);
crawls.on(drawTabs);
current.on((o) => {
  drawTabs();
  if (o) head(headPlace, o, STATES);
  else fill(headPlace);
});
place.on(() => {
  drawCrawls();
  show();
});
startRouter();
if (place.value.id || place.value.view) loadCrawls().catch(() => {});
setInterval(() => {
  if (!document.hidden) loadCrawls().catch(() => {});
}, 10000);
