/** How many calls there are, and how many of them wait to be shown. */
import { address } from '../address.js';
import { counted, grouped } from '../format.js';
import { isPaused, isThinned, pauseAndLoad, rows, showNewest, version } from '../state/calls.js';
import { gap } from '../state/gap.js';
import { session, sessionInfo } from '../state/standing.js';
import { toNewest, toOldest } from './move.js';

export function CallsHead() {
  version.value;
  const list = rows.value;
  const waiting = list.waiting() + (isThinned.value ? 0 : (gap.value?.count ?? 0));
  const isOther = address.value.session !== null;
  return (
    <>
      <h1 class="head" id="calls-title">
        <span>
          Calls{isOther ? ` of ${session.value}` : ''}
          {isPaused.value ? <span class="badge should">paused</span> : null}
        </span>
        <span class="ends">
          <span class="num">
            {isThinned.value ? 'the newest' : shownOf(list.length(), list.isWhole(), list.examined())}
          </span>
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
      </h1>
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

/** That not all calls are in the list, and how it comes to have them. */
function Thinned() {
  if (gap.value === null) return null;
  const { isOpen, text, count } = gap.value;
  if (!isOpen)
    return <p class="soft behind num">{counted(count, 'call')} came that this list does not have.</p>;
  return (
    <p class="soft behind num">
      {text} The list is whole again once fewer come.{' '}
      <button type="button" onClick={pauseAndLoad}>
        Pause and load it now
      </button>
    </p>
  );
}

function shownOf(shown: number, isWhole: boolean, examined: number): string {
  const count = `${grouped(shown)}${isWhole ? '' : '+'}`;
  if (address.value.q !== '')
    return `${count} found${examined > 0 ? ` in ${grouped(examined)} looked at` : ''}`;
  const all = sessionInfo.value?.exchanges ?? 0;
  return isWhole || all <= shown ? count : `${grouped(shown)} of ${grouped(all)}`;
}
