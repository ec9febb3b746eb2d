/** The overview page: health, source and stance, latest exchanges, sessions, daily limits. */
import type { Budget } from '../../ledger/index.js';
import {
  counted,
  type Fact,
  Facts,
  grouped,
  Nothing,
  Recorded,
  Table,
  Time,
  visible,
} from '../../report/index.js';
import type { RecordedExchange, SessionInfo } from '../../store/index.js';
import { ExchangeTable } from './exchange-table.js';
import { type Render, renderPage } from './layout.js';

export interface Overview {
  readonly checks: readonly { readonly name: string; readonly problem: string | null }[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly session: string;
  readonly records: readonly RecordedExchange[];
  readonly sessions: readonly SessionInfo[];
  readonly omittedSessions: number;
  readonly budgets: readonly Budget[];
  readonly omittedBudgets: number;
}

export function renderOverview(overview: Overview): Render {
  const { settings, session, records } = overview;
  return renderPage({
    title: 'Overview',
    place: '/',
    children: (
      <>
        <Checks checks={overview.checks} />
        <Facts facts={[['Session', <Recorded key="session" text={session} />], ...factsOf(settings)]} wide />
        <h2>Latest exchanges</h2>
        {records.length === 0 ? (
          <Nothing>No exchange was recorded in this session yet.</Nothing>
        ) : (
          <>
            <ExchangeTable caption="Latest exchanges" records={records} />
            <p>
              <a href={`/exchanges?${new URLSearchParams({ session })}`}>All exchanges of the session</a>
            </p>
          </>
        )}
        <Budgets budgets={overview.budgets} omitted={overview.omittedBudgets} />
        <Sessions sessions={overview.sessions} omitted={overview.omittedSessions} />
      </>
    ),
  });
}

function Checks({ checks }: Pick<Overview, 'checks'>) {
  return (
    <ul class="checks" aria-label="Readiness">
      {checks.map(({ name, problem }) => (
        <li key={name} class={problem === null ? 'ok' : 'bad'}>
          <span aria-hidden="true">{problem === null ? '✓ ' : '■ '}</span>
          {name}: {problem === null ? 'ready' : problem}
        </li>
      ))}
    </ul>
  );
}

function factsOf(settings: Overview['settings']): readonly Fact[] {
  return Object.entries(settings).map(([name, value]) => [
    name,
    visible(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
}

function Budgets({ budgets, omitted }: { budgets: readonly Budget[]; omitted: number }) {
  return (
    <>
      <h2>Daily limit</h2>
      {budgets.length === 0 ? (
        <Nothing>No account was read without the PSU in the current window.</Nothing>
      ) : (
        <Table
          label="Daily limit"
          caption="Accesses without the PSU, those of the newest first"
          rows={budgets}
          columns={[
            ['TPP', ({ tpp }) => visible(tpp), 'head'],
            ['Consent', ({ consentId }) => <Recorded text={consentId} />],
            [
              'Operation, account',
              ({ operation, accountId }) => (
                <>
                  {visible(operation)} {accountId === '' ? '' : <Recorded text={accountId} />}
                </>
              ),
            ],
            ['Used', ({ used, allowed }) => <Used used={used} allowed={allowed} />],
            ['Left', ({ left }) => left, 'num'],
            ['Frees up', ({ freesUpAt }) => <Time at={new Date(freesUpAt).toISOString()} />],
          ]}
        />
      )}
      {omitted === 0 ? null : <p class="omitted">{counted(omitted, 'row')} more in /api/budgets.</p>}
    </>
  );
}

function Used({ used, allowed }: Pick<Budget, 'used' | 'allowed'>) {
  return (
    <>
      <meter
        min={0}
        max={Math.max(1, allowed)}
        value={Math.min(used, allowed)}
        aria-label="Used of the limit"
      />{' '}
      <span class="num">
        {used} of {allowed}
      </span>
    </>
  );
}

function Sessions({ sessions, omitted }: { sessions: readonly SessionInfo[]; omitted: number }) {
  return (
    <>
      <h2>Sessions</h2>
      {sessions.length === 0 ? <Nothing>None yet.</Nothing> : null}
      <Table
        label="Sessions"
        caption="Sessions, the newest first"
        isCaptionHidden
        rows={sessions}
        columns={[
          [
            'Session',
            ({ name }) => (
              <a href={`/exchanges?${new URLSearchParams({ session: name })}`}>{visible(name)}</a>
            ),
            'head',
          ],
          ['Began', ({ startedAt }) => <Time at={new Date(startedAt).toISOString()} />],
          ['Last exchange', ({ lastAt }) => <Time at={new Date(lastAt).toISOString()} />],
          ['Exchanges', ({ exchanges }) => grouped(exchanges), 'num'],
        ]}
      />
      {omitted === 0 ? null : (
        <p class="omitted">{counted(omitted, 'older session')}: sandgate sessions ls lists them all.</p>
      )}
    </>
  );
}
