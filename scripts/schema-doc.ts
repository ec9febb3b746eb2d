/** docs/schema.md: the views of a store, for readers with an SQL tool. */
import { VIEWS } from '../src/store/index.js';
import { code, page, table } from './docs.js';

/** They run in SQLite and PostgreSQL. */
export const EXAMPLES: readonly (readonly [says: string, sql: string])[] = [
  [
    'Findings by rule and TPP',
    `SELECT rule, tpp, count(*) AS findings
FROM finding_view JOIN exchange_view ON exchange_view.id = finding_view.exchange
WHERE severity = 'must' AND waived IS NULL
GROUP BY rule, tpp ORDER BY findings DESC, rule;`,
  ],
  [
    'Calls and slow answers by day and operation',
    `SELECT substr(at, 1, 10) AS day, operation, count(*) AS calls, max(answerer_ms) AS slowest_ms
FROM exchange_view WHERE withheld IS NULL
GROUP BY day, operation ORDER BY day, calls DESC;`,
  ],
  [
    'Calls of the last session whose outcome is unknown',
    `SELECT id, at, method, path FROM exchange_view
WHERE fault = 'unfinished'
  AND session = (SELECT session FROM session_view ORDER BY last_at DESC LIMIT 1)
ORDER BY id;`,
  ],
];

export function schemaDoc(): string {
  return page(
    'Views for SQL',
    'Any SQL tool can read the recordings in a [store](store.md) through three views, in SQLite (3.31 or newer) and PostgreSQL alike. ' +
      'Their names and columns are stable: newer versions of Sandgate only add columns. The tables behind them change without ' +
      'notice. The views are read-only, and have no header, body or query of a call.',
    "```sh\nsqlite3 -readonly data/sandgate.db 'SELECT * FROM session_view'\npsql -c 'SELECT * FROM sandgate.session_view'\n```",
    'You can read while a gateway records. Use `-readonly`, and keep no transaction open: in SQLite, it keeps the file beside the store growing. ' +
      'In PostgreSQL, give readers a role that may use only the views; it then sees no key and no table:',
    '```sql\nGRANT USAGE ON SCHEMA sandgate TO analyst;\n' +
      `GRANT SELECT ON ${VIEWS.map(({ name }) => `sandgate.${name}`).join(', ')} TO analyst;\n\`\`\``,
    ...VIEWS.flatMap(({ name, says, columns }) => [
      `## ${name}`,
      says,
      table(
        ['Column', 'Type', 'Holds'],
        columns.map((column) => [code(column.name), column.type, column.says]),
      ),
    ]),
    '## Withheld content',
    'With [`--encrypt`](erasing.md), the views show of each exchange what is stored in clear: times, sizes, TPP, operation, status, and the rules of ' +
      'findings, whose `expected` says that the content cannot be read and whose `actual` is empty. No SQL tool deciphers it; use ' +
      '`sandgate sessions show`. `withheld` is then `enciphered`, or `erased` if the content or its key is gone.',
    'The store compresses texts of 8,192 characters and more, which SQL cannot undo. If that happens to the head of a call (very long ' +
      'headers or paths) or to its findings, `withheld` is `compressed` and the columns taken from it are empty.',
    'The views do not check the chain: rows that somebody changed look like others, or make a query fail. `sandgate verify` finds them.',
    '## Examples',
    ...EXAMPLES.map(([says, sql]) => `${says}:\n\n\`\`\`sql\n${sql}\n\`\`\``),
  );
}
