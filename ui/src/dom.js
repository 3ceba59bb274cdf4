// dom.js - makes and removes elements. Everything from outside becomes text, never markup.
// SPDX-License-Identifier: MIT

const SVG = 'http://www.w3.org/2000/svg';

function apply(node, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style')
      Object.assign(node.style, value); // CSSOM: the policy allows it
    else if (name === 'data') Object.assign(node.dataset, value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
}

function add(node, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid === undefined || kid === null || kid === false) continue;
    node.append(kid instanceof Node ? kid : String(kid));
  }
  return node;
}

// h('p', {class: 'note'}, 'text', node, [nodes]): an element with its children.
export function h(tag, props, ...kids) {
  const node = document.createElement(tag);
  apply(node, props);
  return add(node, kids);
}

// The same for SVG.
export function s(tag, props, ...kids) {
  const node = document.createElementNS(SVG, tag);
  apply(node, props);
  return add(node, kids);
}

export function fill(node, ...kids) {
  node.replaceChildren();
  return add(node, kids);
}

// Sets the text of a node only if it differs, so that selections and screen readers are not
// disturbed.
export function say(node, text) {
  const t = String(text);
  if (node.textContent !== t) node.textContent = t;
}

// For onkeydown: Enter on the element itself runs fn. (The event must not propagate, or it would
// press the button that gets the focus next.)
export function onEnter(fn) {
  return (e) => {
    if (e.key !== 'Enter' || e.target !== e.currentTarget) return;
    e.preventDefault();
    fn();
  };
}

// An address that may stand in a link: http or https, or nothing.
export function webAddress(url) {
  try {
    const u = new URL(url);
    return u.protocol === 'http:' || u.protocol === 'https:' ? u.href : null;
  } catch {
    return null;
  }
}

// A link to another site, which does not learn where the user came from.
export function outLink(url, props, ...kids) {
  const href = webAddress(url);
  if (!href) return h('span', props, ...kids);
  return h(
    'a',
    { ...props, href, target: '_blank', rel: 'noopener noreferrer', referrerpolicy: 'no-referrer' },
    ...kids,
  );
}

// A link inside the page that runs a function; unlike a button it can wrap with its line.
export function act(run, props, ...kids) {
  const onclick = (e) => {
    e.preventDefault();
    run();
  };
  return h('a', { ...props, href: '#', role: 'button', onclick }, ...kids);
}

const SHAPES = {
  run: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  stop: 'M3.5 3.5h9v9h-9z',
  dead: 'M3.2 4.6 4.6 3.2 8 6.6l3.4-3.4 1.4 1.4L9.4 8l3.4 3.4-1.4 1.4L8 9.4l-3.4 3.4-1.4-1.4L6.6 8z',
  done: 'M6.3 12.6 2.4 8.7l1.5-1.5 2.4 2.4 5.8-5.8 1.5 1.5z',
  wait: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zm.8 3v3l2.2 1.6-.9 1.2-2.8-2V4.8z',
  plus: 'M7 2.5h2V7h4.5v2H9v4.5H7V9H2.5V7H7z',
  close: 'M3.2 4.6 4.6 3.2 8 6.6l3.4-3.4 1.4 1.4L9.4 8l3.4 3.4-1.4 1.4L8 9.4l-3.4 3.4-1.4-1.4L6.6 8z',
  out: 'M9 2h5v5h-1.6V4.7L7.6 9.5 6.5 8.4l4.8-4.8H9zM3 4h3.5v1.5H4.5v6h6V9.5H12V13H3z',
  sun: 'M8 4.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8zM7.3 1h1.4v2H7.3zM7.3 13h1.4v2H7.3zM1 7.3h2v1.4H1zM13 7.3h2v1.4h-2zM2.6 3.6l1-1 1.4 1.4-1 1zM11 12l1-1 1.4 1.4-1 1zM12 5l-1-1 1.4-1.4 1 1zM3.6 13.4l-1-1L4 11l1 1z',
  moon: 'M6 1.8A6.3 6.3 0 1 0 14.2 10 5.2 5.2 0 0 1 6 1.8z',
  auto: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zm0 1.5v9.4a4.7 4.7 0 0 1 0-9.4z',
  right: 'M5.5 3 10.5 8l-5 5-1.2-1.2L8.1 8 4.3 4.2z',
  down: 'M3 5.5 8 10.5l5-5-1.2-1.2L8 8.1 4.2 4.3z',
  overview: 'M2 2h5v7H2zM9 2h5v4H9zM9 8h5v6H9zM2 11h5v3H2z',
  population: 'M1.5 13V8.5h3V13zM6.5 13V3h3v10zM11.5 13V6h3v7z',
  tree: 'M2 2h4v3.5H4.7V7.3H10V6h4v4h-4V8.7H4.7v3.1H10v-1.3h4v4h-4v-1.3H3.3V5.5H2z',
  results: 'M2 3h12v1.6H2zM2 7.2h12v1.6H2zM2 11.4h8V13H2z',
  map: 'M4 2.5a2 2 0 0 1 1.8 2.9l2.1 2 2.3-.8a2.2 2.2 0 1 1 .5 1.4l-2.2.8.2 1.4a2.1 2.1 0 1 1-1.5.3l-.2-1.6-2.2-2.2A2 2 0 1 1 4 2.5z',
  crew: 'M5 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm6 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM1.5 13c0-3 1.5-5 3.5-5s3.5 2 3.5 5zm8 0c0-2-.5-3.6-1.3-4.5.7-.5 1.5-.5 2.8-.5 2 0 3.5 2 3.5 5z',
  watch:
    'M8 3.5c3.4 0 5.8 2.6 7 4.5-1.2 1.9-3.6 4.5-7 4.5S2.2 9.9 1 8c1.2-1.9 3.6-4.5 7-4.5zM8 5.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z',
  compare: 'M7 2v12H2V2zm7 3v9H9V5zM3.5 3.5v9h2v-9z',
};

export function icon(name) {
  return s(
    'svg',
    { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    s('path', { d: SHAPES[name] || '' }),
  );
}
