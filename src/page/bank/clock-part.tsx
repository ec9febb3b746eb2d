/** The clock by which all is judged: moved, frozen, run at another speed. */
import { useEffect } from 'preact/hooks';
import type { ShownClock } from '../../admin/index.js';
import { act, withQuery } from '../api.js';
import { doing } from '../state/said.js';
import { clock, refreshClock, refreshStanding } from '../state/standing.js';
import { Action, ActionForm, filledIn } from '../view.js';

const ASKED_MS = 1_000;
const STEPS = ['1h', '1d', '30d', '90d'] as const;

export function ClockPart({ session }: { readonly session: string | null }) {
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
    refreshStanding();
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
