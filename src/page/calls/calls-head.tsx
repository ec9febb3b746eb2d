/** How many calls there are, and how many of them wait to be shown. */
import { address } from '../address.js';
import { grouped } from '../format.js';
import { isPaused, rows, showNewest, version } from '../state/calls.js';
import { session, sessionInfo } from '../state/standing.js';
import { toNewest, toOldest } from './move.js';

export function CallsHead() {
  version.value;
  const list = rows.value;
  const waiting = list.waiting();
  const isOther = address.value.session !== null;
  return (
    <>
      <h1 class="head" id="calls-title">
        <span>
          Calls{isOther ? ` of ${session.value}` : ''}
          {isPaused.value ? <span class="badge should">paused</span> : null}
        </span>
        <span class="ends">
          <span class="num">{counted(list.length(), list.isWhole(), list.examined())}</span>
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
      {waiting === 0 ? null : (
        <button type="button" class="fresh num" onClick={showNewest}>
          ↑ {grouped(waiting)} new
        </button>
      )}
    </>
  );
}

function counted(shown: number, isWhole: boolean, examined: number): string {
  const count = `${grouped(shown)}${isWhole ? '' : '+'}`;
  if (address.value.q !== '')
    return `${count} found${examined > 0 ? ` in ${grouped(examined)} looked at` : ''}`;
  const all = sessionInfo.value?.exchanges ?? 0;
  return isWhole || all <= shown ? count : `${grouped(shown)} of ${grouped(all)}`;
}
