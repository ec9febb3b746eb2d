/** The strip: who answers and how, by which clock, and how it goes. */
import type { ComponentChildren } from 'preact';
import { counted, days, minute } from '../format.js';
import { isPaused, musts, rates, togglePause } from '../state/calls.js';
import { certificates, clock, inForce, lastMark, session } from '../state/in-force.js';
import { nextTheme, theme } from '../state/said.js';
import { connection } from '../state/stream.js';
import { ABOUT } from '../view.js';
import { dialog } from './dialog.js';
import { MarkDialog, SessionDialog } from './dialogs.js';
import { KeysDialog } from './keys.js';

const CONNECTION = {
  joining: 'connecting',
  live: 'live',
  lost: 'connection lost',
  crowded: 'too many pages are open',
  idle: 'not live',
} as const;
const THEME = { auto: '◐', light: '☀', dark: '☾' } as const;

/** `children`: beside its first part, which is all of it that a narrow screen shows. */
export function Strip({ children }: { children: ComponentChildren }) {
  return (
    <div class="strip">
      <a class="brand" href="/">
        Sandgate
      </a>
      <span class={`pill ${connection.value}`}>
        <span class="word">{CONNECTION[connection.value]}</span>
        <Answers />
      </span>
      {children}
      <Stance />
      <Interface />
      <OwnCertificate />
      <Clock />
      <Rates />
    </div>
  );
}

function Answers() {
  const settings = inForce.value?.settings;
  if (settings == null) return null;
  const asksBank = settings.source.split(',').includes('upstream');
  return asksBank && ABOUT.bank !== null ? (
    <>
      bank <b>{ABOUT.bank}</b>
    </>
  ) : (
    <>
      {settings.source} <b>{settings.source.includes('emulator') ? `${settings.bank} bank` : ''}</b>
    </>
  );
}

function Stance() {
  const settings = inForce.value?.settings;
  if (settings == null) return null;
  return (
    <span class="pill">
      {settings.stance} · <b>{settings.profile}</b>
    </span>
  );
}

function Interface() {
  const { bankProfile } = ABOUT;
  if (bankProfile === null) return null;
  const { name, title, digest } = bankProfile;
  return (
    <a class="pill" href="/settings" title={`Bank profile ${name}, ${digest}`}>
      interface <b>{title}</b>
    </a>
  );
}

function OwnCertificate() {
  const own = certificates.value.filter(({ use }) => use === 'bank' || use === 'server');
  const shown = own.find(({ use }) => use === 'bank') ?? own[0];
  if (shown === undefined) return null;
  return (
    <a class={`pill ${shown.daysLeft < 30 ? 'near' : ''}`} href="/certificates">
      {shown.use === 'bank' ? 'our QWAC' : 'server certificate'} <b>{days(shown.daysLeft)}</b>
    </a>
  );
}

function Clock() {
  const shown = clock.value;
  if (shown === null) return null;
  return (
    <a class="pill num" href="/bank#clock">
      clock{' '}
      <b>{shown.mode === 'real' ? 'real' : `${shown.now.slice(0, 16).replace('T', ' ')}, ${shown.mode}`}</b>
    </a>
  );
}

const A_MINUTE = 60;

/** The page knows of no call before it was opened. */
function Rates() {
  const { calls, errors, seconds } = rates.value;
  const mark = lastMark.value;
  if (seconds === 0) return null;
  return (
    <span class="rates num">
      {counted(calls, 'call')} · {counted(errors, 'error')}
      {seconds < A_MINUTE ? ` in ${counted(seconds, 'second')}` : ' a minute'}
      {mark === null ? null : (
        <>
          {' · '}
          <span title={minute(mark.at)}>
            <span class={musts.value > 0 ? 'count' : ''}>{counted(musts.value, 'must')}</span> since the mark
          </span>
        </>
      )}
    </span>
  );
}

export function Buttons() {
  return (
    <span class="buttons">
      <button type="button" aria-pressed={isPaused.value} onClick={togglePause}>
        {isPaused.value ? 'Resume' : 'Pause'}
      </button>
      {ABOUT.actions && session.value !== null ? (
        <>
          <button type="button" onClick={() => (dialog.value = <MarkDialog />)}>
            Set a mark
          </button>
          <button type="button" onClick={() => (dialog.value = <SessionDialog />)}>
            New session
          </button>
        </>
      ) : null}
      <button
        type="button"
        class="icon"
        onClick={nextTheme}
        aria-label={`Colours: ${theme.value}. Change`}
        title="Colours"
      >
        {THEME[theme.value]}
      </button>
      <button
        type="button"
        class="icon"
        onClick={() => (dialog.value = <KeysDialog />)}
        aria-label="Keys and colours"
        title="Keys and colours"
      >
        ?
      </button>
    </span>
  );
}
