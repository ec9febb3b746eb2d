/** What is let pass, until when and why. */
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { AskedTable } from '../table.js';

interface Waiver {
  readonly rule: string;
  readonly match?: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly until: string;
}

export function Waivers() {
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
