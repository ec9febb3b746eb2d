/** Sandbox ids, statuses and SCA scenarios: which were seen, and which never. */
import type { Report } from '../../model.js';
import { counted, grouped, visible } from '../text.js';

type Coverage = Report['coverage'];
type Entry = { readonly name: string; readonly meaning: string; readonly count: number };

export function Seen({ coverage }: { coverage: Coverage }) {
  const { authorisation, links } = coverage;
  const ways = [
    ['Implicit authorisation, with the creation', authorisation.implicit],
    ['Explicit authorisation, started apart', authorisation.explicit],
    ['scaOAuth link straight to the authorize page', links.direct],
    ['scaOAuth link to the discovery document', links.discovery],
  ] as const;
  const lists = listsOf(coverage);
  return (
    <>
      <h3>Ways through the interface</h3>
      <table class="narrow">
        <caption class="hidden">How authorisations were begun</caption>
        <tbody>
          {ways.map(([way, count]) => (
            <tr key={way}>
              <th scope="row">{way}</th>
              <td class="num">{grouped(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Statuses, scenarios and sandbox ids</h3>
      {lists.map(([title, entries]) => (
        <SeenList key={title} title={title} entries={entries} />
      ))}
    </>
  );
}

const KINDS = {
  consent: 'a consent',
  payment: 'a payment',
  authorisation: 'an authorisation',
  code: 'a code',
};
const KIND_ENTRIES = Object.entries(KINDS);

function listsOf({
  statuses,
  scenarios,
  sandboxIds,
}: Coverage): readonly (readonly [string, readonly Entry[]])[] {
  return [
    ...KIND_ENTRIES.map(
      ([kind, called]) =>
        [
          `Statuses of ${called}`,
          statuses
            .filter((one) => one.kind === kind)
            .map(({ status, count }) => ({ name: status, meaning: '', count })),
        ] as const,
    ),
    ['SCA scenarios', scenarios.map(({ scenario, ...rest }) => ({ name: scenario, ...rest }))] as const,
    ...KIND_ENTRIES.map(
      ([kind, called]) =>
        [
          `Sandbox ids of ${called}`,
          sandboxIds
            .filter((one) => one.kind === kind)
            .map(({ id, meaning, count }) => ({ name: id, meaning, count })),
        ] as const,
    ),
  ].filter(([, entries]) => entries.length > 0);
}

function SeenList({ title, entries }: { title: string; entries: readonly Entry[] }) {
  const seen = entries.filter(({ count }) => count > 0).length;
  return (
    <details>
      <summary>
        {title}: {seen} of {entries.length} seen
      </summary>
      <ul class="seen">
        {entries.map(({ name, meaning, count }) => (
          <li key={name} class={count === 0 ? 'zero' : undefined}>
            <code>{visible(name)}</code>
            {meaning === '' ? null : <span class="meaning">{visible(meaning)}</span>}
            <span class="num">{count === 0 ? 'never' : counted(count, 'time')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
