/** Journeys, calls, and the call that is open. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { address } from '../address.js';
import { ExchangePane } from '../exchange/exchange-detail.js';
import { counted, grouped } from '../format.js';
import { JourneyPane } from '../journeys/journey-pane.js';
import { Alerts, Journeys } from '../journeys/journeys.js';
import { isPaused, isThinned, pauseAndLoad, rows, showNewest, version } from '../state/calls.js';
import { sessionCounts } from '../state/counts.js';
import { gap } from '../state/gap.js';
import { newestAlerts, session } from '../state/in-force.js';
import { journeysInRange } from '../state/journeys.js';
import { range } from '../state/timeline.js';
import { CallList } from './call-list.js';
import { Chips } from './chips.js';
import { toNewest, toOldest } from './move.js';
import { Search } from './search.js';
import { Timeline } from './timeline.js';

/** The part of the width that what is open has; null: as the style sheet has it. */
const share = signal<number | null>(null);
const SHARES = { least: 25, most: 70, step: 3, preset: 36 } as const;

/** Between the calls and what is open, moved by pointer and by keyboard. */
function Divider() {
  const now = share.value ?? SHARES.preset;
  const move = (to: number) => {
    share.value = Math.round(Math.min(SHARES.most, Math.max(SHARES.least, to)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of what is open, in percent"
      aria-valuemin={SHARES.least}
      aria-valuemax={SHARES.most}
      aria-valuenow={now}
      onKeyDown={(event) => {
        const way = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
        if (way === undefined) return;
        move(now + way * SHARES.step);
        event.preventDefault();
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          move(100 - (event.clientX / document.documentElement.clientWidth) * 100);
      }}
      onDblClick={() => {
        share.value = null;
      }}
    />
  );
}

export function CallsView() {
  const { open, journey } = address.value;
  const [isFolded, fold] = useState(true);
  const attention = newestAlerts.value.length;
  const isOpened = open !== null || journey !== null;
  return (
    <>
      <Timeline />
      <div
        class={`columns ${isOpened ? 'opened' : ''}`}
        style={share.value === null ? undefined : { '--share': `${share.value}%` }}
      >
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded}
          aria-controls="side"
          onClick={() => fold(!isFolded)}
        >
          <span>
            {counted(journeysInRange.value.length, 'journey')}
            {attention === 0 ? null : <b class="bad"> · {counted(attention, 'alert')}</b>}
          </span>
        </button>
        <section id="side" class={`side ${isFolded ? 'folded' : ''}`} aria-label="Attention and journeys">
          <a class="skip" href="#calls">
            Skip to the calls
          </a>
          <Alerts />
          <Journeys />
        </section>
        <section class="calls-column" aria-labelledby="calls-title">
          <CallsHead />
          <Search />
          <CallList />
        </section>
        {isOpened ? <Divider /> : null}
        {open !== null ? <ExchangePane id={open} /> : journey === null ? null : <JourneyPane id={journey} />}
      </div>
    </>
  );
}

function CallsHead() {
  version.value;
  const list = rows.value;
  const waiting = list.waiting() + (isThinned.value ? 0 : (gap.value?.count ?? 0));
  const isOther = address.value.session !== null;
  return (
    <>
      <div class="head">
        <h1 id="calls-title">
          Calls{isOther ? ` of ${session.value}` : ''}
          {isPaused.value ? <span class="badge note">paused</span> : null}
        </h1>
        <Chips />
        <span class="ends">
          <span class="num">{isThinned.value ? 'the newest' : shownOf(list.length(), list.isWhole())}</span>
          <button
            type="button"
            class="icon"
            aria-label="To the newest call"
            title="Newest (Home)"
            onClick={toNewest}
          >
            ↑
          </button>
          <button
            type="button"
            class="icon"
            aria-label="To the oldest call"
            title="Oldest (End)"
            onClick={toOldest}
          >
            ↓
          </button>
        </span>
      </div>
      {address.value.q === '' || list.behind() === 0 ? null : (
        <p class="soft behind num">
          The newest {grouped(list.behind())} are not in the index yet: they are read one by one.
        </p>
      )}
      <Thinned />
      {waiting === 0 ? null : (
        <button type="button" class="fresh num" onClick={showNewest}>
          ↑ {grouped(waiting)} new
        </button>
      )}
    </>
  );
}

function Thinned() {
  if (gap.value === null) return null;
  const { isOpen, text, count } = gap.value;
  if (!isOpen) return <p class="soft behind num">{counted(count, 'call')} are missing from this list.</p>;
  return (
    <p class="soft behind num">
      {text} The list is whole again once fewer come.{' '}
      <button type="button" onClick={pauseAndLoad}>
        Pause and load it now
      </button>
    </p>
  );
}

function shownOf(shown: number, isWhole: boolean): string {
  const count = `${grouped(shown)}${isWhole ? '' : '+'}`;
  if (address.value.q !== '' || range.value !== null) return `${count} found`;
  const all = sessionCounts.value?.exchanges ?? 0;
  return isWhole || all <= shown ? count : `${grouped(shown)} of ${grouped(all)}`;
}
