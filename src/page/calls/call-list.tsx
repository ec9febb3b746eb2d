/** The calls: of a list that may be long, only the rows in sight are drawn. All are of one height. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Summary } from '../../admin/index.js';
import { address, go } from '../address.js';
import { dayOf, grouped, millis, shortPath, timeOfDay } from '../format.js';
import { cursor, isAtTop, isHeld, problem, rows, version } from '../state/calls.js';
import { sessionInfo } from '../state/in-force.js';
import { colourOf } from '../state/journeys.js';
import type { Rows } from '../state/rows.js';
import { NoCalls } from './first-minute.js';
import { wanted } from './move.js';

/** In px, by the width of the list; the style sheet has the same. In a narrow list a row is a card of two lines. */
const heightOfRow = (width: number): number => (width <= 820 ? 56 : 30);
const BEYOND = 8;

function openCall(id: string): void {
  cursor.value = id;
  go({ open: id }, address.value.open !== null);
}

export function CallList() {
  version.value;
  const list = rows.value;
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600, rowHeight: heightOfRow(innerWidth) });
  const look = () => {
    if (box.current === null) return;
    const { scrollTop: top, clientHeight: height, clientWidth: width } = box.current;
    const now = { top, height, rowHeight: heightOfRow(width) };
    const isSame = (before: typeof now) =>
      before.top === top && before.height === height && before.rowHeight === now.rowHeight;
    setSeen((before) => (isSame(before) ? before : now));
    isAtTop.value = top <= 0;
    if (!isHeld.value && rows.peek().waiting() > 0) rows.peek().reveal();
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (isAtTop.value && box.current !== null && box.current.scrollTop > 0) box.current.scrollTop = 0;
  }, [isAtTop.value]);
  const { rowHeight } = seen;
  const before = useRef(rowHeight);
  useLayoutEffect(() => {
    // The calls in sight stay there as rows become cards.
    if (box.current !== null) box.current.scrollTop *= rowHeight / before.current;
    before.current = rowHeight;
  }, [rowHeight]);
  const target = wanted.value;
  useLayoutEffect(() => {
    if (target === null || box.current === null) return;
    const from = target.index * rowHeight;
    // Not asked of the browser, which would lay the page out for it.
    const { top, height } = seen;
    if (from < top) box.current.scrollTop = from;
    else if (from + rowHeight > top + height) box.current.scrollTop = from + rowHeight - height;
  }, [target]);

  const length = list.length();
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - BEYOND);
  const last = Math.min(length - 1, Math.ceil((seen.top + seen.height) / rowHeight) + BEYOND);
  useEffect(() => list.see(first, Math.max(first, last)), [list, first, last, length]);

  const active = cursor.value;
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const isDrawn = active !== null && shown.some((index) => list.at(index)?.id === active);
  return (
    <div ref={box} class="list" onScroll={look}>
      <div
        class="rows"
        id="calls"
        role="listbox"
        aria-label="Calls, the newest first"
        aria-activedescendant={isDrawn ? `call-${active}` : undefined}
        tabIndex={0}
        style={{ height: `${length * rowHeight}px` }}
      >
        {shown.map((index) => (
          <CallRow key={index} list={list} index={index} top={index * rowHeight} />
        ))}
      </div>
      <ListEnd />
    </div>
  );
}

function ListEnd() {
  version.value;
  const list = rows.value;
  if (problem.value !== null)
    return (
      <p class="problem" role="alert">
        {problem.value}
      </p>
    );
  if (list.isSearching()) return <p class="soft end">Searching… {grouped(list.examined())} looked at.</p>;
  if (!list.isWhole())
    return (
      <p class="end">
        <button type="button" onClick={list.more}>
          Search further back
        </button>{' '}
        <span class="soft">{grouped(list.examined())} looked at.</span>
      </p>
    );
  if (list.length() > 0) return null;
  return <NoCalls />;
}

function CallRow({ list, index, top }: { list: Rows; index: number; top: number }) {
  version.value;
  const [call, older] = [list.at(index), list.at(index + 1)];
  const position = { transform: `translateY(${top}px)` };
  if (call === undefined)
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus.
      <div class="row fetching" role="option" aria-selected={false} aria-busy style={position}>
        …
      </div>
    );
  const isOpen = call.id === address.value.open;
  const mark = markBefore(call, older);
  const isOfNewDay = older !== undefined && dayOf(older.at) !== dayOf(call.at);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter opens the active option, wherever the focus is.
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus, and tells which option is active.
    <div
      id={`call-${call.id}`}
      class={`row ${call.id === cursor.value ? 'active' : ''} ${isOpen ? 'open' : ''} ${mark === null ? '' : 'marked'} ${isOfNewDay ? 'new-day' : ''}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={index + 1}
      aria-setsize={list.isWhole() ? list.length() : -1}
      style={position}
      onClick={() => openCall(call.id)}
    >
      <time class="mono num" title={`${call.at.replace('T', ' ').slice(0, 23)} UTC`}>
        {timeOfDay(call.at)}
      </time>
      <Dot resource={call.resources[0]} />
      <span class="method">{call.method}</span>
      <span class="path mono" title={call.path}>
        {call.method === '' ? (
          <em class="soft">no call ({call.listener})</em>
        ) : (
          <bdi>{shortPath(call.path)}</bdi>
        )}
      </span>
      <Status call={call} />
      <span class="num soft ms">{millis(call.ms)}</span>
      <span class="soft source">{call.source ?? ''}</span>
      <Reason call={call}>
        {mark === null ? null : <em class="mark-text">mark: {mark}</em>}
        {isOfNewDay ? <em class="day-text">{dayOf(call.at)}</em> : null}
      </Reason>
    </div>
  );
}

function Reason({ call, children }: { call: Summary; children: ComponentChildren }) {
  const { worst, reason, injected, sender, findings, remedy } = call;
  const open = findings.filter(({ waived }) => !waived);
  const rule = open.find(({ severity }) => severity === worst)?.rule;
  return (
    <span class="reason" title={[reason, rule, remedy].filter((text) => text != null).join('\n')}>
      {children}
      {sender === null ? null : <span class="badge note">by Sandgate</span>}
      {injected === null ? null : <span class="badge note">injected: {injected}</span>}
      {worst === null ? null : <span class={`badge ${worst}`}>{worst}</span>}
      {open.length > 1 ? <span class="soft num">+{open.length - 1}</span> : null} <bdi>{reason}</bdi>{' '}
      <span class="soft rule">{rule}</span>
    </span>
  );
}

function Dot({ resource }: { readonly resource: Summary['resources'][number] | undefined }) {
  return resource === undefined ? (
    <span class="dot none" />
  ) : (
    <span class="dot" style={colourOf(resource.id)} title={`${resource.kind} ${resource.id}`} />
  );
}

function Status({ call: { status, fault } }: { call: Summary }) {
  return (
    <span class={`status num s${status === null ? 5 : Math.floor(status / 100)}`} title={fault ?? undefined}>
      {status ?? (fault === null ? 'none' : 'fail')}
    </span>
  );
}

function markBefore(call: Summary, older: Summary | undefined): string | null {
  const marks = sessionInfo.value?.marks ?? [];
  const found = marks.findLast(({ at }) => at <= call.at && (older === undefined || at > older.at));
  return found === undefined ? null : found.text === '' ? timeOfDay(found.at).slice(0, 8) : found.text;
}
