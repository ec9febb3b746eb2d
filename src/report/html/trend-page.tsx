/** The page of a trend: what came and went over sessions, the history of each rule, and the weeks of the bank. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ANSWERERS } from '../formats/lines.js';
import { changeText, periodText, sessionTitle } from '../trend/lines.js';
import {
  CHANGES,
  type Trend,
  type TrendCell,
  type TrendRule,
  type TrendSession,
  type TrendTpp,
} from '../trend/model.js';
import { Contents, type ContentsEntry, Document } from './document.js';
import { FilterBar } from './filter-bar.js';
import { MARKS, Name, Nothing, Section, Severity, Time } from './parts.js';
import { WeeksSection } from './sections/weeks.js';
import { type Column, Table } from './table.js';
import { anchor, counted, grouped, titled, visible } from './text.js';

export function renderTrendHtml(trend: Trend): string {
  return `<!doctype html>\n${renderToString(<TrendPage trend={trend} />)}\n`;
}

function TrendPage({ trend }: { trend: Trend }) {
  const { head, sessions, tpps } = trend;
  const entries: readonly ContentsEntry[] = [
    ['changes', 'What came and went', null],
    ['sessions', 'Sessions', String(sessions.length)],
    ['rules', 'Rules', null],
    ...(tpps.length === 0 ? [] : [['tpps', 'By TPP', String(tpps.length)] as const]),
    ['weeks', 'Availability and speed', null],
  ];
  return (
    <Document title={head.title} skip="Skip to what came and went">
      <header>
        <p class="brand">Sandgate</p>
        <h1>{visible(head.title)}</h1>
        <p class="facts-line">
          <span>{periodText(sessions)}</span>
          <span>{counted(sessions.length, 'session')}</span>
          <span>
            {counted(
              sessions.reduce((sum, { exchanges }) => sum + exchanges, 0),
              'exchange',
            )}
          </span>
        </p>
      </header>
      <Contents entries={entries} />
      <main id="main">
        <ChangesSection trend={trend} />
        <SessionsSection trend={trend} />
        <FilterBar />
        <RulesSection trend={trend} />
        {tpps.length === 0 ? null : <TppsSection trend={trend} />}
        <WeeksSection availability={trend.availability} />
      </main>
      <footer>
        <p>
          Made by {head.gateway.name} {head.gateway.version} from the verdicts that the store holds
          {head.madeAt === null ? null : (
            <>
              {' '}
              on <Time at={head.madeAt} /> UTC
            </>
          )}
          .
        </p>
      </footer>
    </Document>
  );
}

/** An emulator or a replay is never called a bank. */
const sideOf = (judges: TrendRule['judges'], { head }: Trend): string =>
  judges === 'tpp' ? 'TPP' : titled(ANSWERERS[head.answerer]);

/** Rules that were violated at least once. */
const isViolated = ({ change }: TrendRule): boolean => change !== 'complied' && change !== 'not-tested';

function ChangesSection({ trend }: { trend: Trend }) {
  const { head, rules } = trend;
  const found = rules.filter(isViolated);
  const numbers = CHANGES.map(
    (change) => [change, found.filter((one) => one.change === change).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${changeText(change).toLowerCase()}`);
  return (
    <Section
      id="changes"
      title="What came and went"
      lead={found.length === 0 ? 'No rule was violated in any session.' : `${numbers.join(', ')}.`}
    >
      {found.length === 0 ? null : (
        <Table
          label="Rules that came and went"
          caption="Times are UTC; first and last violation in these sessions"
          rows={found}
          columns={[
            ['Now', ({ change }) => <strong>{changeText(change)}</strong>],
            ['Rule', RuleTitle, 'head'],
            ['Severity', ({ severity }) => <SeverityOf severity={severity} />],
            ['At fault', ({ judges }) => sideOf(judges, trend)],
            ['First seen', ({ firstSeen }) => (firstSeen === null ? '–' : <Time at={firstSeen} />)],
            ['Last seen', ({ lastSeen }) => (lastSeen === null ? '–' : <Time at={lastSeen} />)],
            ['Sessions', ({ history }) => sessionsWith(history), 'num'],
          ]}
        />
      )}
      <div class="notes">
        <h3>To know when reading</h3>
        <ul>
          {head.notes.map((note) => (
            <li key={note}>{visible(note)}</li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

const SeverityOf = ({ severity }: Pick<TrendRule, 'severity'>) =>
  severity === 'off' ? <span class="soft">off</span> : <Severity severity={severity} />;

const sessionsWith = (history: readonly TrendCell[]): string =>
  `${history.filter(({ violated, outcome }) => violated > 0 || outcome === 'violated').length} of ${history.length}`;

function RuleTitle({ rule, statement }: TrendRule) {
  return (
    <>
      {visible(statement)}
      <br />
      <Name>{visible(rule)}</Name>
    </>
  );
}

const ANSWERED_BY: Readonly<Record<Trend['head']['answerer'], string>> = {
  bank: 'the bank',
  several: 'the bank and others',
  emulator: 'the emulator',
  replay: 'a replay',
  nobody: 'nobody',
};

function SessionsSection({ trend }: { trend: Trend }) {
  const { sessions } = trend;
  const side = sideOf('aspsp', trend);
  const differ = (of: (session: TrendSession) => string) => new Set(sessions.map(of)).size > 1;
  return (
    <Section
      id="sessions"
      title="Sessions"
      lead="In the order of their beginning. Numbers are rules, not calls."
    >
      <Table
        label="Sessions"
        caption="Sessions; times are UTC"
        rows={sessions}
        columns={[
          ['Session', ({ name }, at) => `${at + 1}: ${visible(name)}`, 'head'],
          ['Began', ({ from }) => <Time at={from} />],
          ['Exchanges', ({ exchanges }) => grouped(exchanges), 'num'],
          ['Answered by', ({ answerer }) => ANSWERED_BY[answerer]],
          ['TPP: must, should violated', ({ tpp }) => `${tpp.mustViolated}, ${tpp.shouldViolated}`, 'num'],
          ['TPP: complied', ({ tpp }) => grouped(tpp.complied), 'num'],
          ['TPP: not tested', ({ tpp }) => grouped(tpp.notTested), 'num'],
          [
            `${side}: must, should violated`,
            ({ aspsp }) => `${aspsp.mustViolated}, ${aspsp.shouldViolated}`,
            'num',
          ],
          [`${side}: complied`, ({ aspsp }) => grouped(aspsp.complied), 'num'],
          [`${side}: not tested`, ({ aspsp }) => grouped(aspsp.notTested), 'num'],
          differ(({ profiles }) => profiles) && ['Profile', ({ profiles }) => profiles],
          differ((one) => one.bankProfiles) && ['Bank profile', ({ bankProfiles }) => visible(bankProfiles)],
        ]}
      />
    </Section>
  );
}

function RulesSection({ trend }: { trend: Trend }) {
  const { rules } = trend;
  const parts: readonly (readonly [string, readonly TrendRule[], boolean])[] = [
    ['Violated in a session', rules.filter(isViolated), true],
    ['Complied with whenever tested', rules.filter(({ change }) => change === 'complied'), false],
  ];
  const idle = rules.filter(({ change }) => change === 'not-tested');
  return (
    <Section
      id="rules"
      title="Rules"
      lead="A number counts the calls that violated the rule; ✓ those that complied; – is not tested."
    >
      {parts.map(([title, of, isOpen]) =>
        of.length === 0 ? null : (
          <details key={title} open={isOpen}>
            <summary>
              {title}: {counted(of.length, 'rule')}
            </summary>
            <HistoryTable title={title} rules={of} trend={trend} />
          </details>
        ),
      )}
      {idle.length === 0 ? null : (
        <details>
          <summary>Never tested: {counted(idle.length, 'rule')}</summary>
          <ul class="plain">
            {idle.map((one) => (
              <li key={one.rule}>
                <RuleTitle {...one} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function HistoryTable({ title, rules, trend }: { title: string; rules: readonly TrendRule[]; trend: Trend }) {
  const columns: readonly Column<TrendRule>[] = [
    ['Rule', RuleTitle, 'head'],
    ['At fault', ({ judges }) => sideOf(judges, trend)],
    ...trend.sessions.map(
      (session, at): Column<TrendRule> => [
        // Day and month stay in one line.
        sessionTitle(session, at).replace(/ (?=\w+$)/, '\u00a0'),
        ({ history, severity }) => <Cell cell={history[at]} severity={severity} />,
        'num',
      ],
    ),
  ];
  return (
    <Table
      label={`History: ${title}`}
      look="history"
      caption="Sessions by their number and the day on which they began"
      rows={rules}
      rowProps={({ severity, judges }) => ({ 'data-f': `${severity}.${judges}` })}
      columns={columns}
    />
  );
}

/** Shape and word tell it; colour only repeats. */
function Cell({ cell, severity }: { cell: TrendCell | undefined; severity: TrendRule['severity'] }) {
  const { outcome = 'not-tested', violated = 0, complied = 0 } = cell ?? {};
  const look = severity === 'off' ? 'note' : severity;
  switch (outcome) {
    case 'violated':
      return <Badge look={look} sign={MARKS[look]} count={violated} word="violated" />;
    case 'waived':
      return <Badge look="waived" sign="□" count={violated} word="waived" />;
    case 'complied':
      return (
        <span>
          <span aria-hidden="true">✓ </span>
          {grouped(complied)}
          <span class="hidden"> complied</span>
        </span>
      );
    default:
      return (
        <span class="soft">
          <span aria-hidden="true">–</span>
          <span class="hidden">{outcome === 'off' ? 'switched off' : 'not tested'}</span>
        </span>
      );
  }
}

function Badge({ look, sign, count, word }: { look: string; sign: string; count: number; word: string }) {
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{sign} </span>
      {grouped(count)}
      <span class="hidden"> {word}</span>
    </span>
  );
}

function TppsSection({ trend }: { trend: Trend }) {
  return (
    <Section id="tpps" title="By TPP" lead="Rules that each TPP violated, in its own calls.">
      {trend.tpps.map((tpp) => (
        <Tpp key={tpp.id} tpp={tpp} trend={trend} />
      ))}
    </Section>
  );
}

function Tpp({ tpp, trend }: { tpp: TrendTpp; trend: Trend }): ComponentChildren {
  const { id, name, exchanges, rules } = tpp;
  return (
    <article id={anchor('tpp', id)}>
      <h3>{visible(name ?? id)}</h3>
      <p class="tags">
        <span>{visible(id)}</span>
        <span>{counted(exchanges, 'exchange')}</span>
      </p>
      {rules.length === 0 ? (
        <Nothing>It violated no rule.</Nothing>
      ) : (
        <HistoryTable title={name ?? id} rules={rules} trend={trend} />
      )}
    </article>
  );
}
