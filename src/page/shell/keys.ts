/** What keys do wherever nothing is typed. */
import { ABOUT } from '../about.js';
import { address, go } from '../address.js';
import { move, toNewest, toOldest } from '../calls/move.js';
import { cursor, showNewest } from '../state/calls.js';
import { dialog } from './open-dialog.js';
import { togglePause } from './pause.js';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;
/** What answers to Enter and arrows by itself. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a,button,summary,pre,[role=tab]') !== null;

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.value !== null)
    return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  const { view, open } = address.value;
  const isList = view === 'calls';
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
        if (isList && open !== null) go({ view: 'exchange' });
        return true;
      case 'j':
        return isList && move(1);
      case 'k':
        return isList && move(-1);
      case 'ArrowDown':
        return isList && !hasOwnKeys(event.target) && move(1);
      case 'ArrowUp':
        return isList && !hasOwnKeys(event.target) && move(-1);
      case 'Home':
        return isList && !hasOwnKeys(event.target) && toNewest();
      case 'End':
        return isList && !hasOwnKeys(event.target) && toOldest();
      case 'Enter':
        if (!isList || hasOwnKeys(event.target) || cursor.value === null) return false;
        go({ open: cursor.value }, open !== null);
        return true;
      case 'Escape':
        if (view === 'exchange') go({ view: 'calls', open: null });
        else if (open !== null) go({ open: null });
        else cursor.value = null;
        return true;
      default:
        return false;
    }
  })();
  if (done) event.preventDefault();
}
