/** The overview page: health, source and stance, latest exchanges, sessions, daily limits. */
import type { Budget } from '../../ledger/index.js';
import {
  counted,
  type Fact,
  Facts,
  grouped,
  Nothing,
  Recorded,
  Time,
  visible,
  Wide,
} from '../../report/index.js';
import type { RecordedExchange, SessionInfo } from '../../store/index.js';
import { ExchangeTable } from './exchange-table.js';
import { renderPage } from './layout.js';

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

export function renderOverview(overview: Overview): string {
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
        <Wide label="Daily limit">
          <table>
            <caption>Accesses without the PSU, those of the newest first</caption>
            <thead>
              <tr>
                <th scope="col">TPP</th>
                <th scope="col">Consent</th>
                <th scope="col">Operation, account</th>
                <th scope="col">Used</th>
                <th scope="col" class="num">
                  Left
                </th>
                <th scope="col">Frees up</th>
              </tr>
            </thead>
            <tbody>
              {budgets.map((one) => (
                <BudgetRow
                  key={`${one.tpp} ${one.consentId} ${one.operation} ${one.accountId}`}
                  budget={one}
                />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {omitted === 0 ? null : <p class="omitted">{counted(omitted, 'row')} more in /api/budgets.</p>}
    </>
  );
}

function BudgetRow({ budget }: { budget: Budget }) {
  const { tpp, consentId, operation, accountId, used, allowed, left, freesUpAt } = budget;
  return (
    <tr>
      <th scope="row">{visible(tpp)}</th>
      <td>
        <Recorded text={consentId} />
      </td>
      <td>
        {visible(operation)} {accountId === '' ? '' : <Recorded text={accountId} />}
      </td>
      <td>
        <meter
          min={0}
          max={Math.max(1, allowed)}
          value={Math.min(used, allowed)}
          aria-label="Used of the limit"
        />{' '}
        <span class="num">
          {used} of {allowed}
        </span>
      </td>
      <td class="num">{left}</td>
      <td>
        <Time at={new Date(freesUpAt).toISOString()} />
      </td>
    </tr>
  );
}

function Sessions({ sessions, omitted }: { sessions: readonly SessionInfo[]; omitted: number }) {
  return (
    <>
      <h2>Sessions</h2>
      {sessions.length === 0 ? <Nothing>None yet.</Nothing> : null}
      <Wide label="Sessions">
        <table>
          <caption class="hidden">Sessions, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Session</th>
              <th scope="col">Began</th>
              <th scope="col">Last exchange</th>
              <th scope="col" class="num">
                Exchanges
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map(({ name, startedAt, lastAt, exchanges }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={`/exchanges?${new URLSearchParams({ session: name })}`}>{visible(name)}</a>
                </th>
                <td>
                  <Time at={new Date(startedAt).toISOString()} />
                </td>
                <td>
                  <Time at={new Date(lastAt).toISOString()} />
                </td>
                <td class="num">{grouped(exchanges)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {omitted === 0 ? null : (
        <p class="omitted">{counted(omitted, 'older session')}: sandgate sessions ls lists them all.</p>
      )}
    </>
  );
}
