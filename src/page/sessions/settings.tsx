/** The switches: who answers, how strictly, by which profile; and the waivers. */
import type { ShownSettings } from '../../admin/index.js';
import { act, get, useAsked } from '../api.js';
import { inForce } from '../state/in-force.js';
import { doing, setTheme, THEMES, type Theme, theme } from '../state/said.js';
import { ABOUT, AskedTable, Part, Row } from '../view.js';

type Switched = Exclude<keyof ShownSettings, 'stances'>;

const SWITCHES = {
  stance: {
    values: ['enforce', 'observe'],
    meaning: 'enforce refuses what breaks a must; observe lets it pass and says so',
  },
  profile: { values: ['sandbox', 'production'], meaning: 'how strict rules are' },
  source: { values: ['emulator', 'upstream', 'replay', 'replay,emulator'], meaning: 'who answers' },
  bank: { values: ['sandbox', 'living'], meaning: 'which bank the emulator is' },
  scaLink: {
    values: ['by-profile', 'discovery', 'direct'],
    meaning: 'what a scaOAuth link leads to: a discovery document, or the page itself',
  },
} as const satisfies Record<Switched, { values: readonly string[]; meaning: string }>;

const { name, title, digest } = ABOUT.bankProfile ?? {
  name: 'sandgate',
  title: 'The built-in interface',
  digest: null,
};
const BANK_PROFILE = `${title} (${digest === null ? name : `${name}, ${digest}`})`;

export function Settings() {
  // They change elsewhere, too.
  const key = JSON.stringify(inForce.value?.settings ?? null);
  const asked = useAsked(`settings ${key}`, () => get<ShownSettings>('/api/settings'));
  const change = (wanted: Partial<ShownSettings>) =>
    doing(
      () => act<ShownSettings>('PUT', '/api/settings', wanted),
      ({ source, stance, profile, bank }) =>
        `From the next call on: ${source}, ${stance}, ${profile}, ${bank} bank.`,
    ).finally(asked.again);
  return (
    <div class="page">
      <h1>Settings</h1>
      <p class="soft">
        Changes apply from the next call and last until restart. Gateways that share a store keep them until
        the last one stops. The session notes each change.
      </p>
      <Part asked={asked}>
        {(now) => (
          <dl class="kv broad">
            {(Object.keys(SWITCHES) as Switched[]).map((name) => (
              <Row key={name} term={name}>
                <Switch name={name} value={now[name]} onChange={(value) => change({ [name]: value })} />
                <span class="soft"> {SWITCHES[name].meaning}</span>
              </Row>
            ))}
            <Row term="bank profile">
              {BANK_PROFILE}{' '}
              <span class="soft"> the interface of the bank; chosen when the gateway starts</span>
            </Row>
          </dl>
        )}
      </Part>
      <h2>This page</h2>
      <p>
        <label>
          Colours{' '}
          <select
            value={theme.value}
            onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}
          >
            {THEMES.map((one) => (
              <option key={one} value={one}>
                {one === 'auto' ? 'as the system has them' : one}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Waivers />
      <h2>This gateway</h2>
      <dl class="kv broad">
        <Row term="TPPs call">
          <code>{ABOUT.urls.api}</code>
        </Row>
        <Row term="PSUs go to">
          <code>{ABOUT.urls.psu}</code>
        </Row>
        <Row term="Version">{ABOUT.version}</Row>
        <Row term="API">
          <a href="/api/openapi.json">/api/openapi.json</a>, <a href="/metrics">/metrics</a>,{' '}
          <a href="/readyz">/readyz</a>
        </Row>
      </dl>
    </div>
  );
}

function Switch(parts: { name: Switched; value: string; onChange: (value: string) => void }) {
  const { name, value, onChange } = parts;
  const known: readonly string[] = SWITCHES[name].values;
  return (
    <select
      aria-label={name}
      value={value}
      disabled={!ABOUT.actions}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {[...new Set([...known, value])].map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

interface Waiver {
  readonly rule: string;
  readonly match?: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly until: string;
}

function Waivers() {
  const asked = useAsked(
    'waivers',
    async () => (await get<{ waivers: readonly Waiver[] }>('/api/waivers')).waivers,
  );
  return (
    <>
      <h2>Waivers</h2>
      <AskedTable
        asked={asked}
        label="Waivers"
        keyOf={(one) => JSON.stringify(one)}
        nothing="No waivers. Open a finding and choose Waive."
        columns={[
          ['Rule', ({ rule }) => rule, 'mono'],
          [
            'Of',
            ({ match = {} }) =>
              Object.entries(match)
                .map(([name, value]) => `${name} ${value}`)
                .join(', ') || 'all',
          ],
          ['Until', ({ until }) => until, 'num'],
          ['Why', ({ reason }) => reason],
        ]}
      />
    </>
  );
}
