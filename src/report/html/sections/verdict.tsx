/** The verdict: a sentence for whoever reads no further, then the two sides apart. */
import { waiverLines } from '../../formats/lines.js';
import type { Outcome, Party, Report } from '../../model.js';
import { Picture, Section } from '../parts.js';
import { counted, grouped, visible } from '../text.js';

type Rules = Party['rules'];

/** In the order of the ring, the gravest first. */
const OUTCOMES: readonly { readonly key: keyof Rules; readonly label: string; readonly tone: string }[] = [
  { key: 'mustViolated', label: 'must violated', tone: 'must' },
  { key: 'shouldViolated', label: 'should violated', tone: 'should' },
  { key: 'noteViolated', label: 'noted', tone: 'note' },
  { key: 'waived', label: 'violated, waived', tone: 'waived' },
  { key: 'complied', label: 'complied', tone: 'fine' },
  { key: 'notObserved', label: 'not observed', tone: 'none' },
  { key: 'notApplicable', label: 'not applicable', tone: 'na' },
  { key: 'off', label: 'switched off', tone: 'off' },
];

const SIZE = 168;
const RADIUS = 66;
const ROUND = 2 * Math.PI * RADIUS;
const GAP = 2;

function Donut({ id, who, party }: { id: string; who: string; party: Party }) {
  const total = OUTCOMES.reduce((sum, { key }) => sum + party.rules[key], 0);
  const violated = party.rules.mustViolated + party.rules.shouldViolated;
  const counts = OUTCOMES.filter(({ key }) => party.rules[key] > 0)
    .map(({ key, label }) => `${party.rules[key]} ${label}`)
    .join(', ');
  return (
    <Picture
      id={id}
      title={`Rules for the ${who}`}
      description={`${counted(total, 'rule')}: ${counts}.`}
      width={SIZE}
      height={SIZE}
      isFixed
    >
      <circle class="track" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
      {arcsOf(party.rules, total).map(({ tone, length, offset }) => (
        <circle
          key={tone}
          class={`arc ${tone}`}
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          stroke-dasharray={`${length.toFixed(2)} ${(ROUND - length).toFixed(2)}`}
          stroke-dashoffset={(ROUND / 4 - offset).toFixed(2)}
        />
      ))}
      <text class="figure" x={SIZE / 2} y={SIZE / 2 + 8}>
        {violated}
      </text>
      <text class="label" x={SIZE / 2} y={SIZE / 2 + 28}>
        violated
      </text>
    </Picture>
  );
}

/** An arc too short to be seen is drawn a little longer than it is. */
function arcsOf(rules: Rules, total: number) {
  const shares = OUTCOMES.filter(({ key }) => rules[key] > 0).map(({ key, tone }) => ({
    tone,
    share: Math.max(rules[key] / total, 0.012),
  }));
  const sum = shares.reduce((all, { share }) => all + share, 0);
  const gap = shares.length > 1 ? GAP : 0;
  let offset = 0;
  return shares.map(({ tone, share }) => {
    const whole = (share / sum) * ROUND;
    const arc = { tone, length: whole - gap, offset };
    offset += whole;
    return arc;
  });
}

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
