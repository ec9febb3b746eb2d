/** The verdict: a sentence for whoever reads no further, then the two sides apart. */
import { waiverLines } from '../../formats/head-lines.js';
import type { Outcome, Party, Report } from '../../model.js';
import { Section } from '../parts.js';
import { Donut, OUTCOMES } from '../pictures/donut.js';
import { counted, grouped, visible } from '../text.js';

const OUTCOME: Readonly<Record<Outcome, { mark: string; label: string; tone: string }>> = {
  'must-violated': { mark: '■', label: 'Must violated', tone: 'must' },
  'should-violated': { mark: '◆', label: 'Should violated', tone: 'should' },
  complied: { mark: '✓', label: 'Complied', tone: 'fine' },
  'not-observed': { mark: '–', label: 'Not observed', tone: 'quiet' },
  'not-applicable': { mark: '–', label: 'Not applicable', tone: 'quiet' },
};

export function VerdictSection({ report }: { report: Report }) {
  const { verdict, head } = report;
  const notes = [...waiverLines(head).map((line) => `Waived: ${visible(line)}.`), ...head.notes];
  return (
    <Section id="verdict" title="Verdict">
      <p class="sentence">{verdict.sentence}</p>
      <div class="parties">
        <PartyPanel id="tpp" title="The TPP, as the client" who="TPP" party={verdict.tpp} />
        <PartyPanel id="bank" title="The bank, as the server" who="bank" party={verdict.aspsp} />
      </div>
      {notes.length === 0 ? null : (
        <div class="notes">
          <h3>To know when reading</h3>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}

function PartyPanel({ id, title, who, party }: { id: string; title: string; who: string; party: Party }) {
  const { mark, label, tone } = OUTCOME[party.outcome];
  const found = (['must', 'should', 'note', 'waived'] as const).filter((key) => party.findings[key] > 0);
  return (
    <article class="party">
      <h3>{title}</h3>
      <p class={`outcome ${tone}`}>
        <span aria-hidden="true">{mark} </span>
        {label}
      </p>
      <p>{party.sentence}</p>
      <div class="ring">
        <Donut id={`donut-${id}`} who={who} party={party} />
        <table class="legend">
          <caption>Rules by outcome</caption>
          <tbody>
            {OUTCOMES.filter(({ key }) => key !== 'off' || party.rules.off > 0).map(
              ({ key, label, tone }) => (
                <tr key={key} class={party.rules[key] === 0 ? 'zero' : undefined}>
                  <th scope="row">
                    <span class={`swatch ${tone}`} aria-hidden="true" />
                    {label}
                  </th>
                  <td class="num">{party.rules[key]}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      <p class="soft">
        {found.length === 0
          ? 'No finding.'
          : `${counted(
              found.reduce((sum, key) => sum + party.findings[key], 0),
              'finding',
            )}: ${found.map((key) => `${grouped(party.findings[key])} ${key}`).join(', ')}.`}
      </p>
    </article>
  );
}
