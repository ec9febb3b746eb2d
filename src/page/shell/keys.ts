/** What keys do wherever nothing is typed. */
import { address, go } from '../address.js';
import { move, toNewest, toOldest, withRows } from '../calls/move.js';
import { cursor, showNewest, togglePause } from '../state/calls.js';
import { ABOUT } from '../view.js';
import { dialog } from './dialog.js';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a,button,summary,pre,[role=tab]') !== null;

function now(act: () => void): true {
  act();
  return true;
}

function openActive(): void {
  if (cursor.value !== null) go({ open: cursor.value }, address.value.open !== null);
}

function toOwnPage(): void {
  if (address.value.open !== null) go({ view: 'exchange' });
}

function leave(): void {
  if (address.value.open !== null) go({ open: null });
  else cursor.value = null;
}

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.value !== null)
    return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  const { view, open } = address.value;
  const isList = view === 'calls';
  const aboutOpen = open === null ? withRows : now;
  const done = ((): boolean => {
    switch (event.key) {
      case '/':
        if (isList) document.getElementById('q')?.focus();
        else go({ view: 'calls' });
        return true;
      case '?':
        dialog.value = { kind: 'keys' };
        return true;
      case 'p':
        togglePause();
        return true;
      case 'm':
        if (ABOUT.actions) dialog.value = { kind: 'mark' };
        return true;
      case 'n':
        if (isList) showNewest();
        return isList;
      case 'o':
        return isList && aboutOpen(toOwnPage);
      case 'j':
        return isList && withRows(() => move(1));
      case 'k':
        return isList && withRows(() => move(-1));
      case 'ArrowDown':
        return isList && !hasOwnKeys(event.target) && withRows(() => move(1));
      case 'ArrowUp':
        return isList && !hasOwnKeys(event.target) && withRows(() => move(-1));
      case 'Home':
        return isList && !hasOwnKeys(event.target) && withRows(toNewest);
      case 'End':
        return isList && !hasOwnKeys(event.target) && withRows(toOldest);
      case 'Enter':
        return isList && !hasOwnKeys(event.target) && withRows(openActive);
      case 'Escape':
        if (view === 'exchange') go({ view: 'calls', open: null });
        else if (isList) aboutOpen(leave);
        return true;
      default:
        return false;
    }
  })();
  if (done) event.preventDefault();
}
