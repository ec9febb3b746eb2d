/** The living bank: who there is, what TPPs and PSUs did, and what can be done to it; and the clock. */
import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShownBank } from '../../admin/index.js';
import { address } from '../address.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { journeys } from '../state/journeys.js';
import { Part } from '../view.js';
import { ClockPart } from './clock-part.js';
import { NextOutcome } from './next-outcome.js';
import { Psus } from './psus.js';
import { Consents, Payments } from './resources.js';
import { Snapshots } from './snapshots.js';

export function Bank() {
  const { session } = address.value;
  const about = useAsked(`bank ${session}`, () => get<ShownBank>('/api/bank', { session }));
  // What happens to a consent or payment changes its journey.
  const moved = useComputed(() => journeys.value[0]?.to);
  useEffect(about.again, [moved.value]);
  return (
    <div class="page">
      <h1>Bank</h1>
      <ClockPart session={session} />
      <Part asked={about}>
        {({ bank, seed, psus }) =>
          bank === 'sandbox' ? (
            <p>
              The sandbox bank answers: fixed data, and nothing is remembered. The living bank can be chosen
              in <a href="/settings">Settings</a>.
            </p>
          ) : (
            <>
              <p class="soft">
                The living bank, {seed === null ? 'read from files' : `seed ${seed}`}, with {psus} PSUs.
              </p>
              <Consents session={session} moved={moved.value} />
              <Payments session={session} moved={moved.value} />
              <NextOutcome session={session} />
              <Snapshots session={session} onChange={about.again} />
              <Psus session={session} />
            </>
          )
        }
      </Part>
    </div>
  );
}
