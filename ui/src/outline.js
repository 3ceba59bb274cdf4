// outline.js - a tree of any size as a virtual list whose nodes open and close.
//
//   outline({height, head: [titles], row: (node) => [cells], key: (node) => text,
//            load: async (node|null, n) => {nodes, more}, open, label})
//
// A node has an id, and `children` (an array) or `more` (their number) where they are not
// here yet: then load() brings them when it is opened. Right and Left open and close.
// SPDX-License-Identifier: MIT
import { h, icon } from './dom.js';
import { vlist } from './vlist.js';
import { count } from './format.js';

const STEP = 200; // children brought at a time
const MOST = 5000; // the server gives this many

export function outline({ height = 34, head, row, key, load, open, label, classes = () => '' }) {
  const opened = new Map(); // id -> {nodes, more, n} or null while it is on its way
  let top = { nodes: [], more: 0, n: STEP };
  let flat = [];
  let found = null; // id of the agent that was searched for
  const list = vlist({
    height,
    label,
    roles: ['tree', 'treeitem'],
    key: (i) => lineKey(flat[i]),
    render: (i) => renderLine(flat[i]),
  });

  function lineKey(l) {
    if (l.more) return `more ${l.parent} ${l.more}`;
    return `${l.node.id} ${l.node.id === found} ${l.level} ${opened.has(l.node.id)} ${hasChildren(l.node)} ${key(l.node)}`;
  }

  const hasChildren = (n) => (n.children && n.children.length > 0) || n.more > 0;

  function flatten() {
    flat = [];
    const walk = (group, level, parent) => {
      for (const node of group.nodes) {
        flat.push({ node, level });
        const kids = opened.get(node.id);
        if (kids) walk(kids, level + 1, node);
      }
      if (group.more > 0)
        flat.push({ more: group.more, level, parent: parent ? parent.id : 0, of: parent, group });
    };
    walk(top, 0, null);
    list.setTotal(flat.length);
  }

  async function toggle(node) {
    if (opened.has(node.id)) {
      opened.delete(node.id);
    } else {
      opened.set(node.id, { nodes: node.children || [], more: 0, n: STEP });
      if (!node.children || node.children.length === 0 || node.more > 0) await bring(node, STEP);
    }
    flatten();
  }

  async function bring(node, n) {
    const got = await load(node, n);
    if (node === null) top = { ...got, n };
    else if (opened.has(node.id)) opened.set(node.id, { ...got, n });
  }

  function renderLine(l) {
    const indent = { paddingLeft: `${0.4 + Math.min(l.level, 24) * 1.1}rem` };
    if (l.more) {
      return h(
        'div',
        { class: 'outline-row more', style: indent },
        h(
          'button',
          {
            class: 'quiet',
            onclick: async () => {
              await bring(l.of, Math.min(MOST, l.group.n * 5));
              flatten();
            },
          },
          `${count(l.more)} more`,
        ),
      );
    }
    const { node } = l;
    const twisty = hasChildren(node)
      ? h(
          'button',
          {
            class: 'twisty',
            tabindex: '-1',
            'aria-label': opened.has(node.id) ? 'close' : 'open',
            onclick: (e) => {
              e.stopPropagation();
              toggle(node);
            },
          },
          icon(opened.has(node.id) ? 'down' : 'right'),
        )
      : h('span', { class: 'twisty' });
    const [first, ...rest] = row(node);
    return h(
      'div',
      {
        class: `outline-row ${node.id === found ? 'found' : ''} ${classes(node)}`,
        'aria-expanded': hasChildren(node) ? String(opened.has(node.id)) : null,
        'aria-level': l.level + 1,
        data: { id: node.id },
        onclick: () => open(node),
        onkeydown: (e) => {
          if (e.key === 'Enter') open(node);
          else if (e.key === 'ArrowRight' && hasChildren(node) && !opened.has(node.id)) toggle(node);
          else if (e.key === 'ArrowLeft' && opened.has(node.id)) toggle(node);
          else return;
          e.preventDefault();
        },
      },
      h('span', { class: 'stem', style: indent }, twisty, first),
      rest,
    );
  }

  const top_ = head
    ? h(
        'div',
        { class: 'outline-row outline-head', 'aria-hidden': 'true' },
        head.map((t, i) => h('span', { class: i === 0 ? 'stem' : `cell ${i < 3 ? 'num' : 'wide-only'}` }, t)),
      )
    : null;

  return {
    node: h('div', { class: `outline ${head ? 'headed' : ''}` }, top_, list.node),
    destroy: list.destroy,
    repaint: () => list.refresh(),
    get isEmpty() {
      return top.nodes.length === 0;
    },
    // Loads all that is open again.
    async refresh() {
      await bring(null, top.n);
      const known = new Map();
      const gather = (nodes) =>
        nodes.forEach((n) => {
          known.set(n.id, n);
          gather(n.children || []);
        });
      gather(top.nodes);
      for (const [id, group] of [...opened]) {
        const node = known.get(id) || { id };
        await bring(node, group.n);
        gather(opened.get(id)?.nodes || []);
      }
      flatten();
    },
    // Opens a few levels of what is there already.
    unfold(levels) {
      const walk = (nodes, left) =>
        nodes.forEach((n) => {
          if (left === 0 || !n.children || n.children.length === 0) return;
          opened.set(n.id, { nodes: n.children, more: n.more || 0, n: STEP });
          walk(n.children, left - 1);
        });
      walk(top.nodes, levels);
      flatten();
    },
    // Opens all that is here, or closes it.
    all(open_) {
      opened.clear();
      if (open_) this.unfold(1000);
      else flatten();
    },
    // Opens the way to an agent, all of it at once, and shows it: {id, at: its place among its
    // siblings} from the first ancestor on.
    async reveal(path) {
      const mine = path[path.length - 1].id;
      found = mine;
      const missing = (group, step) => !group.nodes.some((n) => n.id === step.id);
      const upTo = (step) => Math.min(MOST, step.at + STEP);
      const ways = path.slice(1).map((step, i) => {
        const group = opened.get(path[i].id) || { nodes: [], more: 0, n: STEP };
        opened.set(path[i].id, group);
        return missing(group, step) && bring({ id: path[i].id }, upTo(step));
      });
      await Promise.all([missing(top, path[0]) && bring(null, upTo(path[0])), ...ways]);
      if (found !== mine) return; // the user searches for another agent by now
      flatten();
      const at = flat.findIndex((l) => l.node?.id === mine);
      if (at >= 0) list.show(at);
    },
  };
}
