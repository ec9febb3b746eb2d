/** One call as a line. */
import type { Summary } from '../../admin/index.js';
import { dayOf, millis, shortPath, timeOfDay } from '../format.js';
import { colourOf } from '../state/journeys.js';
import { sessionInfo } from '../state/standing.js';

interface RowParts {
  /** undefined: being fetched. */
  readonly call: Summary | undefined;
  readonly older: Summary | undefined;
  /** In px. */
  readonly top: number;
  readonly place: number;
  readonly of: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (id: string) => void;
}

export function CallRow({ call, older, top, place, of, isActive, isOpen, onOpen }: RowParts) {
  const position = { transform: `translateY(${top}px)` };
  if (call === undefined)
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus.
      <div class="row fetching" role="option" aria-selected={false} aria-busy style={position}>
        …
      </div>
    );
  const mark = markBefore(call, older);
  const isOfNewDay = older !== undefined && dayOf(older.at) !== dayOf(call.at);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter opens the active option, wherever the focus is.
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus, and tells which option is active.
    <div
      id={`call-${call.id}`}
      class={`row ${isActive ? 'active' : ''} ${isOpen ? 'open' : ''} ${mark === null ? '' : 'marked'} ${isOfNewDay ? 'new-day' : ''}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={place}
      aria-setsize={of}
      style={position}
      onClick={() => onOpen(call.id)}
    >
      <time class="mono num" title={`${call.at.replace('T', ' ').slice(0, 23)} UTC`}>
        {timeOfDay(call.at)}
      </time>
      <Dot resource={call.resource} />
      <span class="method">{call.method}</span>
      <span class="path mono" title={call.cause ?? call.path}>
        {mark === null ? null : <em class="mark-text">mark: {mark}</em>}
        {isOfNewDay ? <em class="day-text">{dayOf(call.at)}</em> : null}
        {call.method === '' ? <em class="cause">{call.cause}</em> : <bdi>{shortPath(call.path)}</bdi>}
      </span>
      <Status call={call} />
      <span class="num soft ms">{millis(call.ms)}</span>
      <span class="soft source">{call.source ?? ''}</span>
      <span class="worst">
        {call.worst === null ? null : <span class={`badge ${call.worst}`}>{call.worst}</span>}
      </span>
    </div>
  );
}

function Dot({ resource }: Pick<Summary, 'resource'>) {
  return resource === null ? (
    <span class="dot none" />
  ) : (
    <span class={`dot lane-${colourOf(resource.id)}`} title={`${resource.kind} ${resource.id}`} />
  );
}

function Status({ call: { status, fault } }: { call: Summary }) {
  return (
    <span class={`status num s${status === null ? 5 : Math.floor(status / 100)}`} title={fault ?? undefined}>
      {status ?? (fault === null ? 'none' : 'fail')}
    </span>
  );
}

/** The mark that was set between this call and the one before it. */
function markBefore(call: Summary, older: Summary | undefined): string | null {
  const marks = sessionInfo.value?.marks ?? [];
  const found = marks.findLast(({ at }) => at <= call.at && (older === undefined || at > older.at));
  return found === undefined ? null : found.text === '' ? timeOfDay(found.at).slice(0, 8) : found.text;
}
