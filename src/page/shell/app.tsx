/** The frame of the page: strip, navigation, and the view that the address names. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { address, hrefWith, VIEW_NAMES, VIEWS, type View } from '../address.js';
import { Bank } from '../bank/bank.js';
import { CallsView } from '../calls/calls-view.js';
import { ExchangePage } from '../exchange/exchange-detail.js';
import { Rules } from '../sessions/catalogue.js';
import { Certificates } from '../sessions/certificates.js';
import { Report } from '../sessions/report.js';
import { Sessions } from '../sessions/sessions.js';
import { Settings } from '../sessions/settings.js';
import { newestAlerts } from '../state/in-force.js';
import { hush, said } from '../state/said.js';
import { dialog } from './dialog.js';
import { onKey } from './keys.js';
import { Buttons, Strip } from './strip.js';

const COMPONENTS: Readonly<Record<View | 'exchange', ComponentType>> = {
  calls: CallsView,
  exchange: ExchangePage,
  bank: Bank,
  rules: Rules,
  certificates: Certificates,
  sessions: Sessions,
  settings: Settings,
  report: Report,
};

export function App() {
  const { view } = address.value;
  const Shown = COMPONENTS[view];
  const [isUnfolded, unfold] = useState(false);
  const name = view === 'exchange' ? 'Exchange' : VIEWS[view].name;
  useEffect(() => {
    document.title = `${name} – Sandgate`;
    unfold(false);
  }, [name]);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class={`top ${isUnfolded ? 'unfolded' : ''}`}>
        <Strip>
          <button
            type="button"
            class="menu"
            aria-expanded={isUnfolded}
            aria-controls="menu"
            onClick={() => unfold(!isUnfolded)}
          >
            Menu
          </button>
        </Strip>
        <div class="bar" id="menu">
          <Nav />
          <Buttons />
        </div>
      </header>
      <main id="main" class={`view ${view}`} tabIndex={-1}>
        <Shown />
      </main>
      <Announcer />
      {dialog.value}
    </>
  );
}

function Nav() {
  const { view } = address.value;
  return (
    <nav aria-label="Views">
      {VIEW_NAMES.map((name) => {
        const isHere = view === name || (view === 'exchange' && name === 'calls');
        return (
          <a
            key={name}
            href={hrefWith({ view: name, open: null })}
            aria-current={isHere ? 'page' : undefined}
          >
            {VIEWS[name].name}
          </a>
        );
      })}
    </nav>
  );
}

function Announcer() {
  const [newest] = newestAlerts.value;
  const shown = said.value;
  return (
    <>
      <div class="hidden" aria-live="polite">
        {newest === undefined ? '' : `${newest.text} ${newest.remedy}`}
      </div>
      <div class="said" role="status">
        {shown === null ? null : (
          <p class={shown.isProblem ? 'problem' : ''}>
            {shown.text}{' '}
            <button type="button" class="icon" onClick={hush} aria-label="Close">
              ×
            </button>
          </p>
        )}
      </div>
    </>
  );
}
