/** What is let pass, until when and why. */
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { Table } from '../table.js';
import { Part } from '../view.js';

interface Waiver {
  readonly rule: string;
  readonly match?: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly until: string;
}

export function Waivers() {
  const asked = useAsked('waivers', () => get<{ waivers: readonly Waiver[] }>('/api/waivers'));
  return (
    <>
      <h2>Waivers</h2>
      <Part asked={asked}>
        {({ waivers }) => (
          <Table
            label="Waivers"
            rows={waivers}
            keyOf={(one) => JSON.stringify(one)}
            nothing="Nothing is let pass. A finding is waived where it is shown."
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
        )}
      </Part>
    </>
  );
}
