/** The verdict: a sentence for whoever reads no further, then the two sides apart. */
import { isBank, ofNobody, tppText, verdictsOfSeveral, waiverLines, whoseOf } from '../../formats/lines.js';
import type { Outcome, Party, Report, TppVerdict } from '../../model.js';
import { ToRule } from '../links.js';
import { Picture, Section } from '../parts.js';
import { Table } from '../table.js';
import { counted, grouped, groupedOrNone, visible } from '../text.js';

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

const NO_BANK = { mark: '–', label: 'No bank answered', tone: 'quiet' } as const;

export function VerdictSection({ report }: { report: Report }) {
  const { verdict, head } = report;
  const notes = [...waiverLines(head).map((line) => `Waived: ${visible(line)}.`), ...head.notes];
  const each = verdictsOfSeveral(report);
  const { aspsp: who } = whoseOf(report);
  const [of, as] = each.length > 0 ? ['All TPPs together', 'TPPs'] : ['The TPP', 'TPP'];
  return (
    <Section id="verdict" title="Verdict">
      <p class="sentence">{visible(verdict.sentence)}</p>
      {each.length === 0 ? null : <EachTpp each={each} rest={ofNobody(report)} />}
      <div class="parties">
        <PartyPanel
          id="tpp"
          title={`${of}, as the client`}
          who={as}
          party={verdict.tpp}
          mark={OUTCOME[verdict.tpp.outcome]}
        />
        <PartyPanel
          id="bank"
          title={isBank(verdict.answerer) ? 'The bank, as the server' : `The ${who}, in place of a bank`}
          who={who}
          party={verdict.aspsp}
          mark={isBank(verdict.answerer) ? OUTCOME[verdict.aspsp.outcome] : NO_BANK}
        />
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

function EachTpp({ each, rest }: { each: readonly TppVerdict[]; rest: number }) {
  return (
    <>
      <Table
        label="Verdict for each TPP"
        caption="Verdict for each TPP"
        rows={each}
        columns={[
          ['TPP', (one) => <bdi>{visible(tppText(one))}</bdi>, 'head'],
          [
            'Verdict',
            ({ outcome }) => (
              <span class={`outcome ${OUTCOME[outcome].tone}`}>
                <span aria-hidden="true">{OUTCOME[outcome].mark} </span>
                {OUTCOME[outcome].label}
              </span>
            ),
          ],
          [
            'Rules violated',
            ({ violated }) => (
              <>
                {violated.map(({ rule, calls, outOf }) => (
                  <div key={rule}>
                    <ToRule rule={rule} /> in {grouped(calls)} of {counted(outOf, 'call')}
                  </div>
                ))}
              </>
            ),
          ],
          ['Must', ({ rules }) => groupedOrNone(rules.mustViolated), 'num'],
          ['Should', ({ rules }) => groupedOrNone(rules.shouldViolated), 'num'],
          ['Complied', ({ rules }) => grouped(rules.complied), 'num'],
          ['Not tested', ({ rules }) => grouped(rules.notApplicable + rules.notObserved), 'num'],
          ['Exchanges', ({ exchanges }) => grouped(exchanges), 'num'],
        ]}
      />
      <p class="soft">
        Exchanges of a TPP are its calls, pages of PSUs that it sent to the bank, and notifications to it.{' '}
        {grouped(rest)} are of no TPP: connections that failed, and calls and pages that name no TPP.
      </p>
    </>
  );
}

interface PanelParts {
  readonly id: string;
  readonly title: string;
  readonly who: string;
  readonly party: Party;
  readonly mark: (typeof OUTCOME)[Outcome];
}

function PartyPanel({ id, title, who, party, mark: { mark, label, tone } }: PanelParts) {
  const found = (['must', 'should', 'note', 'waived'] as const).filter((key) => party.findings[key] > 0);
  return (
    <article class="party">
      <h3>{title}</h3>
      <p class={`outcome ${tone}`}>
        <span aria-hidden="true">{mark} </span>
        {label}
      </p>
      <p>{visible(party.sentence)}</p>
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
