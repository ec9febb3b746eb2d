/** The scope of the report: calls, rules, callers and the bank. */
import { bankLines, ownRuleLines, profilesText } from '../../formats/lines.js';
import type { Report } from '../../model.js';
import { type Fact, Facts, Name, Recorded, Section, Time } from '../parts.js';
import { Table } from '../table.js';
import { counted, day, grouped, span, visible } from '../text.js';

export function ScopeSection({ report }: { report: Report }) {
  const { head } = report;
  return (
    <Section id="scope" title="What was judged">
      <Facts facts={factsOf(head)} wide />
      <Callers tpps={report.tpps} others={report.otherCallers} />
      <Against report={report} />
      <Settings head={head} />
    </Section>
  );
}

const RECORDING = { store: 'Session', cassette: 'Cassette', har: 'HAR file' } as const;

function factsOf(head: Report['head']): readonly Fact[] {
  const { recording, gateway, profile, stances, sources } = head;
  const skipped = Object.entries(recording.skipped);
  return [
    [RECORDING[recording.kind], <Recorded key="name" text={recording.name} />],
    [
      'Time span',
      recording.from === null || recording.to === null ? 'no exchange' : span(recording.from, recording.to),
    ],
    ['Exchanges', grouped(recording.exchanges)],
    ...(skipped.length === 0
      ? []
      : [['Skipped', skipped.map(([why, n]) => `${n} ${visible(why)}`).join(', ')] as const]),
    ['Gateway', `${gateway.name} ${gateway.version}`],
    [
      'Profile',
      profile.rejudged
        ? `${profilesText(head)}, judged again; recorded under ${profile.recorded.join(', ') || 'none known'}`
        : profilesText(head),
    ],
    ...bankLines(head).map((line): Fact => ['Bank profile', visible(line)]),
    ['Stance', stances.join(', ') || 'not known'],
    ['Source', sources.join(', ') || 'not known'],
    ['Daily limit', head.dailyWindow],
    ['Catalogue', counted(head.catalogue.rules, 'rule')],
    ['Catalogue digest', <Name key="digest">{head.catalogue.digest}</Name>],
    ...ownRuleLines(head).map((line) => ['Own rules', visible(line)] as const),
    ...(head.madeAt === null ? [] : [['Made at', <Time key="made" at={head.madeAt} />] as const]),
  ];
}

const OTHERS = [
  ['psu', 'PSUs’ browsers'],
  ['noCertificate', 'clients without a certificate'],
  ['notObserved', 'clients whose certificate is not recorded'],
  ['notListed', 'TPPs that are not listed'],
  ['gateway', 'the gateway, with notifications to TPPs'],
] as const;

function othersText(others: Report['otherCallers']): string {
  const parts = OTHERS.flatMap(([key, who]) =>
    others[key] === 0 ? [] : [`${who}: ${grouped(others[key])}`],
  );
  return parts.length === 0 ? '' : `Exchanges of others: ${parts.join('; ')}.`;
}

function Callers({ tpps, others }: { tpps: Report['tpps']; others: Report['otherCallers'] }) {
  const besides = othersText(others);
  if (tpps.length === 0) return besides === '' ? null : <p>{besides}</p>;
  return (
    <>
      <h3>Who called</h3>
      <Table
        label="Who called"
        caption="Third parties by their certificates"
        isCaptionHidden
        rows={tpps}
        columns={[
          [
            'TPP',
            ({ id, name, country }) => (
              <>
                <Recorded text={id} />
                <br />
                <span class="soft">
                  {[name, country].flatMap((part) => (part === null ? [] : visible(part))).join(', ')}
                </span>
              </>
            ),
            'head',
          ],
          ['Roles', ({ roles }) => roles.map(visible).join(', ') || 'none'],
          [
            'National authority',
            ({ nca: { id, name } }) =>
              `${visible(id ?? 'not named')}${name === null ? '' : ` (${visible(name)})`}`,
          ],
          [
            'Certificate valid',
            ({ certificates }) =>
              certificates.map(({ fingerprint, notBefore, notAfter }) => (
                <div key={fingerprint}>
                  {day(notBefore)} to {day(notAfter)}
                </div>
              )),
          ],
          ['Calls with its certificate', ({ exchanges }) => grouped(exchanges), 'num'],
        ]}
      />
      {besides === '' ? null : <p>{besides}</p>}
    </>
  );
}

function Against({ report }: { report: Report }) {
  return (
    <>
      <h3>Against whom</h3>
      <Table
        label="Against whom"
        caption="Who gave the answers"
        isCaptionHidden
        rows={report.against}
        columns={[
          ['Source', ({ source }) => source, 'head'],
          ['Meaning', ({ meaning }) => meaning],
          ['Host as the client named it', ({ hosts }) => hosts.map(visible).join(', ') || '–'],
          [
            'Asked at, and with which certificate',
            ({ banks, shown }) => (
              <>
                {banks.map(visible).join(', ') || '–'}
                {shown.map((one) => (
                  <ShownCertificate key={one.fingerprint} shown={one} />
                ))}
              </>
            ),
          ],
          ['Exchanges', ({ exchanges }) => grouped(exchanges), 'num'],
        ]}
      />
    </>
  );
}

/** The bank saw this certificate, not those of the callers. */
function ShownCertificate({ shown }: { shown: Report['against'][number]['shown'][number] }) {
  const { subject, issuer, serialNumber, fingerprint, notAfter } = shown;
  return (
    <div class="soft">
      shown: {visible(subject)}
      <br />
      {visible(`serial ${serialNumber}, from ${issuer}`)}, valid to {day(notAfter)}
      <br />
      SHA-256 <Recorded text={fingerprint} />
    </div>
  );
}

function Settings({ head }: { head: Report['head'] }) {
  return (
    <>
      <h3>Settings that bear on the verdict</h3>
      {head.overrides.length + head.waivers.length === 0 ? (
        <p class="nothing">No rule was given another severity, and no finding was waived.</p>
      ) : (
        <ul class="plain">
          {head.overrides.map(({ rule, severity, standard, reason }) => (
            <li key={rule}>
              <Name>{rule}</Name> counts as <strong>{severity}</strong>; otherwise {standard}.
              {reason === undefined ? '' : ` The bank's profile: “${visible(reason)}”`}
            </li>
          ))}
          {head.waivers.map(({ rule, reason, tpp, path, until, used }) => (
            <li key={`${rule} ${tpp} ${path} ${until}`}>
              <Name>{rule}</Name> is waived
              {tpp === null ? '' : ` for ${visible(tpp)}`}
              {path === null ? '' : ` on ${visible(path)}`}
              {until === null ? '' : ` until ${visible(until)}`}: “{visible(reason)}”. It covers{' '}
              {counted(used, 'finding')}.
            </li>
          ))}
        </ul>
      )}
      {head.changes.length === 0 ? null : <Changes changes={head.changes} />}
    </>
  );
}

function Changes({ changes }: { changes: Report['head']['changes'] }) {
  return (
    <details>
      <summary>{counted(changes.length, 'entry', 'entries')} of the gateway during the session</summary>
      <ul class="plain">
        {changes.map(({ at, kind, settings }) => (
          <li key={`${at} ${kind}`}>
            <Time at={at} /> {kind}
            {settings.map(([name, value]) => (
              <span key={name}>
                {', '}
                {name} <Recorded text={value} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
