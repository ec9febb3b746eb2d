/** How many calls there are, and how many of them wait to be shown. */
import { address } from '../address.js';
import { grouped } from '../format.js';
import { isPaused, rows, showNewest, version } from '../state/calls.js';
import { session, sessionInfo } from '../state/standing.js';

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
        <span class="num">{counted(list.length(), list.isWhole(), list.examined())}</span>
      </h1>
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
