/** Keys of the page, which work wherever nothing is typed. */
import type { VNode } from 'preact';
import { address, go } from '../address.js';
import { move, toNewest, toOldest, withRows } from '../calls/move.js';
import { cursor, showNewest, togglePause } from '../state/calls.js';
import { colourOf } from '../state/journeys.js';
import { ABOUT, Row } from '../view.js';
import { Dialog, dialog } from './dialog.js';
import { MarkDialog } from './dialogs.js';

type Act = () => void;

const older = () => withRows(() => move(1));
const newer = () => withRows(() => move(-1));
/** While nothing is open, it waits for the rows: a key before it may open one. */
const aboutOpen = (act: Act) => (address.value.open === null ? withRows(act) : act());

function search(): void {
  if (address.value.view === 'calls') document.getElementById('q')?.focus();
  else go({ view: 'calls' });
}

function openActive(): void {
  if (cursor.value !== null) go({ open: cursor.value }, address.value.open !== null);
}

function toOwnPage(): void {
  if (address.value.open !== null) go({ view: 'exchange' });
}

function leave(): void {
  if (address.value.view === 'exchange') go({ view: 'calls', open: null });
  else if (address.value.view === 'calls')
    aboutOpen(() => {
      if (address.value.open !== null) go({ open: null });
      else if (cursor.value !== null || address.value.journey === null) cursor.value = null;
      else go({ journey: null });
    });
}

function setMark(): void {
  if (ABOUT.actions) dialog.value = <MarkDialog />;
}

/** The button is there where a call is open that can be sent. */
function sendAgain(): void {
  document.querySelector<HTMLButtonElement>('.detail > .acts > .go')?.click();
}

function showKeys(): void {
  dialog.value = <KeysDialog />;
}

const KEYS: readonly (readonly [shown: string, what: string, acts: Readonly<Record<string, Act>>])[] = [
  ['/', 'search', { '/': search }],
  ['j k, ↓ ↑', 'next and previous call', { j: older, k: newer, ArrowDown: older, ArrowUp: newer }],
  ['Home, End', 'newest and oldest call', { Home: () => withRows(toNewest), End: () => withRows(toOldest) }],
  ['Enter', 'open the call', { Enter: () => withRows(openActive) }],
  ['Esc', 'close the call, or leave the search', { Escape: leave }],
  ['n', 'show the newest calls', { n: showNewest }],
  ['o', 'open the call as a full page', { o: () => aboutOpen(toOwnPage) }],
  ['s', 'send the open call again; Ctrl+Enter in the form sends it', { s: sendAgain }],
  ['p', 'pause or resume', { p: togglePause }],
  ['m', 'set a mark', { m: setMark }],
  ['?', 'this list', { '?': showKeys }],
];
const ACTS = new Map(KEYS.flatMap(([, , acts]) => Object.entries(acts)));
/** The other keys are for the list of calls. */
const IN_ALL_VIEWS: ReadonlySet<string> = new Set(['/', 'Escape', 's', 'p', 'm', '?']);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;
/** Arrows, Home, End and Enter are theirs. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a,button,summary,pre,[role=tab]') !== null;

export function onKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.value !== null)
    return;
  if (isTyping(target)) {
    if (key === 'Escape') (target as HTMLElement).blur();
    return;
  }
  const act = ACTS.get(key);
  if (act === undefined) return;
  if (!IN_ALL_VIEWS.has(key) && (address.value.view !== 'calls' || (key.length > 1 && hasOwnKeys(target))))
    return;
  act();
  event.preventDefault();
}

const COLOURS: readonly (readonly [shown: VNode, what: string])[] = [
  [<span class="badge must">must</span>, 'a rule is violated that every call must keep'],
  [<span class="badge should">should</span>, 'a rule is violated that calls should keep'],
  [<span class="badge note">note</span>, 'worth knowing; no rule is violated by it'],
  [<b class="s4">401</b>, 'refused, or failed without an answer (fail)'],
  [<span class="s2">200</span>, 'answered'],
  [
    <span class="dot" style={colourOf('VALID_CONSENT_ID')} />,
    'a journey: one consent or payment has one colour',
  ],
];

export function KeysDialog() {
  return (
    <Dialog title="Keys and colours">
      <dl class="kv">
        {KEYS.map(([shown, what]) => (
          <Row key={shown} term={<kbd>{shown}</kbd>}>
            {what}
          </Row>
        ))}
      </dl>
      <h3>Colours</h3>
      <dl class="kv">
        {COLOURS.map(([shown, what]) => (
          <Row key={what} term={shown}>
            {what}
          </Row>
        ))}
      </dl>
    </Dialog>
  );
}
