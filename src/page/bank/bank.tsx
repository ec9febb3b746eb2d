/** The living bank: who there is, what TPPs and PSUs did, and what can be done to it; and the clock. */
import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShownBank, ShownClock } from '../../admin/index.js';
import { address } from '../address.js';
import { act, useGet, withQuery } from '../api.js';
import { clock, refreshClock, refreshInForce } from '../state/in-force.js';
import { journeys } from '../state/journeys.js';
import { doing } from '../state/said.js';
import { Action, ActionForm, Copy, filledIn, Part, Table } from '../view.js';
import { Accounts } from './accounts.js';
import { Faults } from './faults.js';
import { NextOutcome } from './next-outcome.js';
import { Consents, Payments } from './resources.js';
import { Snapshots } from './snapshots.js';

export function Bank() {
  const { session } = address.value;
  const about = useGet<ShownBank>('/api/bank', { session });
  // Changes of a consent or payment show in its journey.
  const moved = useComputed(() => journeys.value[0]?.to);
  useEffect(about.again, [moved.value]);
  return (
    <div class="page">
      <h1>Bank</h1>
      <ClockPart session={session} />
      <Part asked={about}>
        {({ bank, seed, psus, fixed }) =>
          bank === 'sandbox' ? (
            <Fixed fixed={fixed} />
          ) : (
            <>
              <p class="soft">
                The living bank, {seed === null ? 'read from files' : `seed ${seed}`}, with {psus} PSUs.
              </p>
              <Consents session={session} moved={moved.value} />
              <Payments session={session} moved={moved.value} />
              <Accounts session={session} moved={moved.value} />
              <NextOutcome session={session} />
              <Snapshots session={session} onChange={about.again} />
            </>
          )
        }
      </Part>
      <Faults />
    </div>
  );
}

const Fixed = ({ fixed }: Pick<ShownBank, 'fixed'>) => (
  <section>
    <h2>Identifiers of the sandbox bank</h2>
    <p class="soft">
      The sandbox bank answers by these identifiers and remembers nothing. The living bank can be chosen in{' '}
      <a href="/settings">Settings</a>.
    </p>
    <Table
      label="Identifiers"
      rows={fixed}
      keyOf={({ id }) => id}
      nothing="There are none."
      columns={[
        ['Identifier', ({ id }) => id, 'mono id'],
        ['', ({ id }) => <Copy name={id} text={id} />],
        ['Kind', ({ kind }) => kind, 'id'],
        ['What it does', ({ does }) => does, 'text'],
      ]}
    />
  </section>
);

const ASKED_MS = 1_000;
const STEPS = ['1h', '1d', '30d', '90d'] as const;

function ClockPart({ session }: { readonly session: string | null }) {
  const shown = clock.value;
  const goesOn = shown !== null && shown.mode !== 'frozen';
  useEffect(() => {
    refreshClock();
    const asking = goesOn ? setInterval(() => document.hidden || refreshClock(), ASKED_MS) : undefined;
    return () => clearInterval(asking);
  }, [goesOn, session]);
  if (shown === null) return null;
  const move = async (wanted: Record<string, string>) => {
    await doing(
      () => act<ShownClock>('PUT', withQuery('/api/clock', { session }), wanted),
      ({ now, mode }) => `The clock shows ${now}, ${mode}.`,
    );
    refreshInForce();
  };
  return (
    <section class="card" id="clock" aria-label="Clock">
      <h2>Clock</h2>
      <p class="num">
        <b>{shown.now.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</b>{' '}
        <span class="soft">
          {shown.mode === 'real' ? 'the time of the machine' : `${shown.mode}, speed ${shown.speed}`}
        </span>
      </p>
      <div class="acts">
        {STEPS.map((step) => (
          <Action key={step} onClick={() => move({ advance: step })}>
            + {step}
          </Action>
        ))}
        {shown.mode === 'frozen' ? (
          <Action onClick={() => move({ mode: 'running' })}>Run</Action>
        ) : (
          <Action onClick={() => move({ mode: 'frozen' })}>Freeze</Action>
        )}
        {shown.mode === 'real' ? null : (
          <Action onClick={() => move({ mode: 'real' })}>Back to the machine’s time</Action>
        )}
      </div>
      <ActionForm verb="Set" onSend={(form) => move(filledIn(form, ['now', 'speed']))}>
        <label>
          Set it to <input name="now" placeholder="2026-12-31T23:59Z" autocomplete="off" />
        </label>
        <label>
          Speed <input name="speed" placeholder="1d/1s" size={8} autocomplete="off" />
        </label>
      </ActionForm>
    </section>
  );
}
