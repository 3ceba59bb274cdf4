// card.js - the window of one agent or one page, on the right, as the address says.
// SPDX-License-Identifier: MIT
import { dialog } from './dialog.js';
import { alter, isLeaving } from './router.js';
import { agentCard } from './agent.js';
import { pageCard } from './page.js';

let open = null; // {what, window}

function leave() {
  open.end?.();
  return null;
}

export function card(place, ctx) {
  const { agent, page, side } = place.params;
  const what = page ? `page ${page}` : agent ? `agent ${agent}` : '';
  if (open && open.what === what) {
    open.update?.(side);
    return;
  }
  if (open && !open.window.node.open) open = leave(); // closed; its event has not come yet
  if (!what) {
    const was = open;
    open = null;
    was?.end?.();
    was?.window.end();
    return;
  }
  const window = open
    ? open.window
    : dialog({
        title: '…',
        kind: 'drawer',
        closed: () => {
          if (open?.window !== window) return; // another card has replaced it
          open = leave();
          if (!isLeaving()) alter({ agent: null, page: null, side: null });
        },
      });
  open?.end?.();
  window.body.replaceChildren();
  window.body.scrollTop = 0;
  open = { what, window };
  const made = page ? pageCard(window, ctx, +page) : agentCard(window, ctx, +agent);
  Object.assign(open, made);
}
