/** The exchanges of a session, filtered and by pages. */
import { counted, grouped, Nothing, visible } from '../../report/index.js';
import { FILTER_FIELDS, type RecordedExchange } from '../../store/index.js';
import { ExchangeTable } from './exchange-table.js';
import { renderPage } from './layout.js';

export interface ExchangeList {
  readonly session: string;
  readonly query: string;
  /** Why the filter cannot be used, or the session cannot be read. */
  readonly problem: string | null;
  readonly records: readonly RecordedExchange[];
  readonly examined: number;
  /** The first page begins at the newest exchange. */
  readonly isFirst: boolean;
  readonly next: string | null;
}

export function renderExchangeList(list: ExchangeList): string {
  return renderPage({
    title: `Exchanges of ${list.session}`,
    place: '/exchanges',
    children: (
      <>
        <Query list={list} />
        {list.problem === null ? <Found list={list} /> : null}
      </>
    ),
  });
}

function Query({ list: { session, query, problem } }: { list: ExchangeList }) {
  return (
    <>
      <form class="query" method="get" action="/exchanges">
        <input type="hidden" name="session" value={session} />
        <p>
          <label for="q">Filter</label>
          <input
            id="q"
            name="q"
            type="search"
            value={query}
            maxLength={1000}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={problem === null ? 'fields' : 'problem'}
            aria-invalid={problem === null ? undefined : 'true'}
            placeholder="status>=400 operation:accounts.* -rule:oauth/*"
          />
        </p>
        <p>
          <button type="submit">Filter</button>
        </p>
      </form>
      {problem === null ? null : (
        <p class="problem" id="problem" role="alert">
          {visible(problem)}
        </p>
      )}
      <details id="fields">
        <summary>Fields of the filter</summary>
        <dl class="facts broad fields">
          {FILTER_FIELDS.map(([name, meaning]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Found({ list }: { list: ExchangeList }) {
  const { session, query, records, examined, isFirst, next } = list;
  const address = (more: Record<string, string>) =>
    `/exchanges?${new URLSearchParams({ session, ...(query === '' ? {} : { q: query }), ...more })}`;
  return (
    <>
      <p class="lead">
        {counted(records.length, 'exchange')}
        {query === '' ? '' : ` (${grouped(examined)} looked at)`}
        {next === null ? ', back to the beginning of the session.' : ', the newest first.'}
      </p>
      {records.length === 0 ? (
        <Nothing>Nothing matches.</Nothing>
      ) : (
        <ExchangeTable caption="Exchanges" records={records} />
      )}
      <p class="pages">
        {isFirst ? null : (
          <>
            <a href={address({})}>Newest</a>{' '}
          </>
        )}
        {next === null ? null : <a href={address({ before: next })}>Older</a>}
      </p>
    </>
  );
}
