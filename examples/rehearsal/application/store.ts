/** The application's own database: links to banks, what was read of accounts, and payments. */
import Database from 'better-sqlite3';

export interface LinkRow {
  readonly id: string;
  /** Whose browser began it. */
  readonly browser: string;
  readonly state: string;
  readonly verifier: string;
  readonly consent: string;
  /** `begun`, `exchanging`, `valid`, or how it ended. */
  readonly status: string;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Not read again before, epoch ms: the bank said so. */
  readonly pausedUntil: number;
}

export interface PaymentRow {
  /** Our own name for it. */
  readonly reference: string;
  readonly browser: string;
  readonly state: string;
  /** The bank's; null where its answer never came. */
  readonly id: string | null;
  readonly amount: string;
  /** As the bank told it last; `unknown` where it never did. */
  readonly status: string;
}

export interface Posting {
  readonly id: string;
  readonly date: string;
  readonly cents: number;
  readonly text: string;
}

export interface AccountRow {
  readonly iban: string;
  readonly link: string;
  readonly resourceId: string;
  readonly name: string;
  readonly balance: number;
  /** Epoch ms. */
  readonly readAt: number;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS link (id TEXT PRIMARY KEY, browser TEXT, state TEXT UNIQUE, verifier TEXT, consent TEXT, status TEXT,
  accessToken TEXT, refreshToken TEXT, expiresAt INTEGER DEFAULT 0, pausedUntil INTEGER DEFAULT 0);
CREATE TABLE IF NOT EXISTS account (iban TEXT PRIMARY KEY, link TEXT, resourceId TEXT, name TEXT, balance INTEGER, readAt INTEGER);
CREATE TABLE IF NOT EXISTS posting (iban TEXT, id TEXT, date TEXT, cents INTEGER, text TEXT);
CREATE INDEX IF NOT EXISTS posting_of_day ON posting (iban, date);
CREATE TABLE IF NOT EXISTS payment (reference TEXT PRIMARY KEY, browser TEXT, state TEXT UNIQUE, id TEXT, amount TEXT, status TEXT);
CREATE TABLE IF NOT EXISTS reads (link TEXT, day TEXT, count INTEGER, PRIMARY KEY (link, day));
`;

export type Store = ReturnType<typeof openStore>;

export function openStore(file: string) {
  const database = new Database(file);
  database.exec(TABLES);
  const all = <T>(sql: string, ...values: unknown[]) => database.prepare(sql).all(...values) as T[];
  const one = <T>(sql: string, ...values: unknown[]) => database.prepare(sql).get(...values) as T | undefined;
  const run = (sql: string, ...values: unknown[]) => void database.prepare(sql).run(...values);
  const change = (table: string, key: string, id: string, values: object) => {
    const names = Object.keys(values);
    run(
      `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${key} = ?`,
      ...Object.values(values),
      id,
    );
  };
  return {
    /** All of it, or nothing. */
    together: (work: () => void) => database.transaction(work)(),
    addLink: ({ id, browser, state, verifier }: Pick<LinkRow, 'id' | 'browser' | 'state' | 'verifier'>) =>
      run(
        "INSERT INTO link (id, browser, state, verifier, status) VALUES (?, ?, ?, ?, 'begun')",
        ...[id, browser, state, verifier],
      ),
    link: (id: string) => one<LinkRow>('SELECT * FROM link WHERE id = ?', id),
    linkOfState: (state: string, browser: string) =>
      one<LinkRow>('SELECT * FROM link WHERE state = ? AND browser = ?', state, browser),
    linksIn: (status: string) => all<LinkRow>('SELECT * FROM link WHERE status = ?', status),
    linksOf: (browser: string) => all<LinkRow>('SELECT * FROM link WHERE browser = ?', browser),
    changeLink: (id: string, values: Partial<LinkRow>) => change('link', 'id', id, values),

    /** Counts a read of today without the user; gives how many there were before. */
    countRead: (link: string, day: string): number => {
      const before = one<{ count: number }>('SELECT count FROM reads WHERE link = ? AND day = ?', link, day);
      run(
        'INSERT INTO reads VALUES (?, ?, 1) ON CONFLICT (link, day) DO UPDATE SET count = count + 1',
        link,
        day,
      );
      return before?.count ?? 0;
    },
    accounts: () => all<AccountRow>('SELECT * FROM account ORDER BY iban'),
    accountsOf: (link: string) => all<AccountRow>('SELECT * FROM account WHERE link = ? ORDER BY iban', link),
    putAccount: (row: AccountRow) =>
      run(
        'INSERT OR REPLACE INTO account VALUES (?, ?, ?, ?, ?, ?)',
        ...[row.iban, row.link, row.resourceId, row.name, row.balance, row.readAt],
      ),
    dropPostings: (iban: string, from: string) =>
      run('DELETE FROM posting WHERE iban = ? AND date >= ?', iban, from),
    addPosting: (iban: string, { id, date, cents, text }: Posting) =>
      run('INSERT INTO posting VALUES (?, ?, ?, ?, ?)', iban, id, date, cents, text),
    sumOf: (iban: string) =>
      one<{ count: number; sum: number }>(
        'SELECT count(*) AS count, coalesce(sum(cents), 0) AS sum FROM posting WHERE iban = ?',
        iban,
      ) ?? { count: 0, sum: 0 },
    countSince: (iban: string, from: string): number =>
      one<{ count: number }>('SELECT count(*) AS count FROM posting WHERE iban = ? AND date >= ?', iban, from)
        ?.count ?? 0,

    addPayment: ({ reference, browser, state, amount }: Omit<PaymentRow, 'id' | 'status'>) =>
      run("INSERT INTO payment VALUES (?, ?, ?, NULL, ?, 'unknown')", ...[reference, browser, state, amount]),
    dropPayment: (reference: string) => run('DELETE FROM payment WHERE reference = ?', reference),
    payment: (reference: string) => one<PaymentRow>('SELECT * FROM payment WHERE reference = ?', reference),
    paymentOfState: (state: string, browser: string) =>
      one<PaymentRow>('SELECT * FROM payment WHERE state = ? AND browser = ?', state, browser),
    payments: () => all<PaymentRow>('SELECT * FROM payment'),
    changePayment: (reference: string, values: Partial<PaymentRow>) =>
      change('payment', 'reference', reference, values),
    clear: () =>
      database.exec(
        'DELETE FROM link; DELETE FROM account; DELETE FROM posting; DELETE FROM payment; DELETE FROM reads',
      ),
    close: () => database.close(),
  };
}
