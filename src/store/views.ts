/** The views for readers with an SQL tool: stable names over the inner tables, without headers and bodies (docs/schema.md). */
import { BASE_32 } from '../exchange/index.js';

interface Column {
  readonly name: string;
  readonly type: 'text' | 'bigint' | 'double precision';
  readonly says: string;
  readonly sql: (dialect: ViewDialect) => string;
}

interface View {
  readonly name: string;
  readonly says: string;
  readonly columns: readonly Column[];
  readonly from: (dialect: ViewDialect) => string;
}

/** SQL that SQLite and PostgreSQL write in different ways. */
interface ViewDialect {
  /** The member of a JSON text. */
  readonly member: (json: string, ...path: readonly (string | number)[]) => string;
  /** Epoch ms as a text. */
  readonly time: (ms: string) => string;
  readonly beforeQuery: (target: string) => string;
  /** The JSON of a column that holds a text or the number of a part; NULL if it is compressed. */
  readonly json: (column: string, part?: string) => string;
  readonly partOf: (column: string) => string;
  readonly length: (array: string) => string;
  readonly elements: (array: string) => string;
}

const sqlite: ViewDialect = {
  // The operator ->> is missing before SQLite 3.38: such a shell could not even open the file.
  member: (json, ...path) =>
    `json_extract(${json}, '$${path.map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`)).join('')}')`,
  time: (ms) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`,
  beforeQuery: (target) => `substr(${target}, 1, instr(${target} || '?', '?') - 1)`,
  json: (column, part = 'NULL') =>
    `CASE WHEN json_valid(coalesce(${part}, ${column})) THEN coalesce(${part}, ${column}) END`,
  partOf: (column) => column,
  length: (array) => `json_array_length(${array})`,
  elements: (array) => `JOIN json_each(${array}) AS one`,
};

/** PostgreSQL's JSON has neither NUL nor half a surrogate pair, and JSON.stringify writes both as escapes. */
const ODD = "'\\\\u(0000|d[89a-f][0-9a-f]{2})'";
/** The number of a part is a double (postgres/column-bytes.ts). */
const MANTISSA = 2 ** 52;

const textOf = (bytes: string): string =>
  `CASE WHEN substr(${bytes}, 1, 1) = '\\x00' THEN regexp_replace(convert_from(substr(${bytes}, 2), 'UTF8'), ${ODD}, '\\\\ufffd', 'g')::json END`;

const postgres: ViewDialect = {
  member: (json, ...path) => `(${json} #>> '{${path.join(',')}}')`,
  time: (ms) =>
    `to_char(to_timestamp(CAST(${ms} AS bigint) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  beforeQuery: (target) => `split_part(${target}, '?', 1)`,
  json: (column, part) => textOf(part === undefined ? column : `coalesce(${part}, ${column})`),
  partOf: (column) => {
    const bits = `('x' || encode(substr(${column}, 2, 8), 'hex'))::bit(64)::int8`;
    return `CASE WHEN substr(${column}, 1, 1) = '\\x02' THEN ((${bits} & ${MANTISSA - 1}) | ${MANTISSA}) >> CAST(1075 - (${bits} >> 52) AS int) END`;
  },
  length: (array) => `json_array_length(${array})`,
  elements: (array) => `CROSS JOIN LATERAL json_array_elements(${array}) AS one`,
};

/** The id of an exchange, as `idOfNumber` writes it. */
const id = Array.from(
  { length: 11 },
  (_, i) => `substr('${BASE_32}', CAST((entry.id >> ${50 - 5 * i}) & 31 AS int) + 1, 1)`,
).join(' || ');

const own = (d: ViewDialect, ...path: readonly (string | number)[]) => d.member(d.json('entry.own'), ...path);
const shape = (d: ViewDialect, ...path: readonly string[]) =>
  d.member(d.json('entry.shape', 'shapes.content'), ...path);
const findings = (d: ViewDialect) => d.json('entry.findings', 'found.content');
const sizeOf = (d: ViewDialect, place: number) => `coalesce(${own(d, place, 'size')}, ${own(d, place)})`;

/** A beginning stands for an exchange that has no end. */
const entries = (d: ViewDialect) => `(
    SELECT id, chain, own, shape, findings FROM exchanges
    UNION ALL
    SELECT id, chain, own, shape, findings FROM beginnings
      WHERE NOT EXISTS (SELECT 1 FROM exchanges WHERE exchanges.id = beginnings.id)
  ) AS entry
  JOIN chains ON chains.id = entry.chain AND chains.session IS NOT NULL
  LEFT JOIN parts AS shapes ON shapes.chain = entry.chain AND shapes.part = ${d.partOf('entry.shape')}
  LEFT JOIN parts AS found ON found.chain = entry.chain AND found.part = ${d.partOf('entry.findings')}`;

const withheld = (d: ViewDialect) => `CASE
    WHEN ${own(d, 15)} = 'erased' THEN 'erased'
    WHEN ${own(d, 15)} IS NOT NULL THEN CASE
      WHEN EXISTS (SELECT 1 FROM keys WHERE keys.chain = entry.chain AND keys.key = ${own(d, 15)}) THEN 'enciphered'
      ELSE 'erased' END
    WHEN ${d.json('entry.own')} IS NULL OR ${d.json('entry.shape', 'shapes.content')} IS NULL
      OR (entry.findings IS NOT NULL AND ${findings(d)} IS NULL) THEN 'compressed'
    END`;

const text = (name: string, says: string, sql: Column['sql']): Column => ({ name, type: 'text', says, sql });
const whole = (name: string, says: string, sql: Column['sql']): Column => ({
  ...{ name, type: 'bigint', says, sql },
});
const number = (name: string, says: string, sql: Column['sql']): Column => ({
  ...{ name, type: 'double precision', says, sql },
});
const SESSION = text('session', 'Name of the session.', () => 'chains.session');
const AT = text('at', 'When the call came, UTC. Empty if `withheld` is `compressed`.', (d) =>
  d.time(own(d, 0)),
);

export const VIEWS: readonly View[] = [
  {
    name: 'session_view',
    says: 'One row for each session.',
    from: () => 'chains WHERE session IS NOT NULL GROUP BY session',
    columns: [
      SESSION,
      text('started_at', 'When it began, UTC.', (d) => d.time('min(started_at)')),
      text('last_at', 'When its newest entry was recorded, UTC.', (d) => d.time('max(last_at)')),
      whole('exchanges', 'Recorded exchanges, without unfinished ones.', () => 'sum(exchanges)'),
    ],
  },
  {
    name: 'exchange_view',
    says: 'One row for each call and its answer, unfinished calls included.',
    from: entries,
    columns: [
      text('id', 'Id of the exchange, as in reports and on the live page. Ids sort by time.', () => id),
      SESSION,
      AT,
      number('ms', 'Milliseconds from the call to the end of its answer.', (d) => own(d, 1)),
      number(
        'answerer_ms',
        'Of these, the time of the bank, emulator or recording.',
        (d) => `coalesce(${own(d, 2, 0)}, ${own(d, 2)})`,
      ),
      text('tpp', '`organizationIdentifier` of the caller.', (d) => shape(d, 'tpp')),
      text('method', 'Method of the call.', (d) => shape(d, 'method')),
      text('path', 'Path without its query. Ids in it are `-` if the content is enciphered or erased.', (d) =>
        d.beforeQuery(own(d, 4)),
      ),
      text('operation', 'Operation of the interface ([endpoints.md](endpoints.md)).', (d) =>
        shape(d, 'operation'),
      ),
      whole('status', 'Status of the answer. Empty if there is none.', (d) => shape(d, 'answer', 'status')),
      text('source', 'Who answered, as in the field `source` of [filters](filters.md).', (d) =>
        shape(d, 'answer', 'source'),
      ),
      text('fault', 'What went wrong, such as `unfinished`.', (d) => shape(d, 'fault')),
      whole('request_bytes', 'Size of the body of the call.', (d) => sizeOf(d, 7)),
      whole('answer_bytes', 'Size of the body of the answer.', (d) => sizeOf(d, 9)),
      whole('findings', 'Number of findings.', (d) => `coalesce(${d.length(findings(d))}, 0)`),
      text('withheld', '`enciphered`, `erased` or `compressed`; see below.', withheld),
    ],
  },
  {
    name: 'finding_view',
    says: 'One row for each finding.',
    from: (d) => `${entries(d)}\n  ${d.elements(findings(d))}`,
    columns: [
      text('exchange', 'Id of the exchange.', () => id),
      SESSION,
      AT,
      ...(
        [
          ['rule', 'Id of the rule ([rules.md](rules.md)).'],
          ['severity', '`must`, `should` or `note`.'],
          ['judges', '`tpp` or `aspsp`: the side that is judged.'],
          ['place', 'Place in the exchange.'],
          ['expected', 'What the rule expects there.'],
          ['actual', 'What is there.'],
          ['waived', 'Reason of the waiver that covers it.'],
        ] as const
      ).map(([name, says]) => text(name, says, (d) => d.member('one.value', name))),
    ],
  },
];

const select = ({ columns, from }: View, dialect: ViewDialect): string =>
  `SELECT\n  ${columns
    .map(({ name, type, sql }) => `CAST(${sql(dialect)} AS ${type}) AS ${name}`)
    .join(',\n  ')}\nFROM ${from(dialect)}`;

/** Older ones are dropped first: a migration could not rename a column that they read. */
export const DROP_SQLITE_VIEWS = VIEWS.map(({ name }) => `DROP VIEW IF EXISTS ${name};`).join('\n');
export const SQLITE_VIEWS = VIEWS.map((view) => `CREATE VIEW ${view.name} AS ${select(view, sqlite)};`).join(
  '\n',
);
/** Replaced in place: what others were granted on them stays. */
export const POSTGRES_VIEWS = VIEWS.map(
  (view) => `CREATE OR REPLACE VIEW ${view.name} AS ${select(view, postgres)}`,
);
