/** The frame of the page: strip, navigation, and the view that the address names. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { address, VIEWS, type View } from '../address.js';
import { Bank } from '../bank/bank.js';
import { CallsView } from '../calls/calls-view.js';
import { Certificates } from '../catalogue/certificates.js';
import { Rules } from '../catalogue/rules.js';
import { ExchangePage } from '../exchange/exchange-page.js';
import { Report } from '../sessions/report.js';
import { Sessions } from '../sessions/sessions.js';
import { Settings } from '../sessions/settings.js';
import { Announcer } from './announcer.js';
import { Dialogs } from './dialogs.js';
import { onKey } from './keys.js';
import { Nav } from './nav.js';
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
  const name = view === 'exchange' ? 'Exchange' : VIEWS[view].name;
  useEffect(() => {
    document.title = `${name} – Sandgate`;
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
      <header class="top">
        <Strip />
        <div class="bar">
          <Nav />
          <Buttons />
        </div>
      </header>
      <main id="main" class={`view ${view}`} tabIndex={-1}>
        <Shown />
      </main>
      <Announcer />
      <Dialogs />
    </>
  );
}
