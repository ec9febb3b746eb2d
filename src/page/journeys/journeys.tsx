/** The journeys of the session: one lane for each consent and payment. */
import { useState } from 'preact/hooks';
import { grouped } from '../format.js';
import { arePartial, journeys } from '../state/journeys.js';
import { Lane } from './lane.js';

const SHOWN = 30;

export function Journeys() {
  const [shown, setShown] = useState(SHOWN);
  const all = journeys.value;
  const open = all.filter(({ ended }) => !ended).length;
  return (
    <>
      <h2 class="head">
        <span>Journeys</span>
        <span class="num">{all.length === 0 ? '' : `${grouped(open)} open`}</span>
      </h2>
      {all.length === 0 ? (
        <p class="soft end">A consent or payment that a TPP creates is followed here.</p>
      ) : null}
      {arePartial.value ? (
        <p class="soft end">More calls come than are looked at: some steps are missing until fewer come.</p>
      ) : null}
      <ul class="lanes">
        {all.slice(0, shown).map((one) => (
          <Lane key={one.id} journey={one} />
        ))}
      </ul>
      {all.length <= shown ? null : (
        <p class="end">
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            {grouped(all.length - shown)} more
          </button>
        </p>
      )}
    </>
  );
}
