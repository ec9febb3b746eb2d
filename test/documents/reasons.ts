/** Documented command lines that are not run as written, and why. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm': 'it would build again, install or run this very suite; CI begins so',
  'npm start': 'it would build again under the feet of other tests; what it starts is run as sandgate serve',
  'npm install': 'it takes minutes and a registry; test/e2e/package.test.ts runs the package as installed',
  'npm run bench': 'it takes minutes; bench files are run small by tests of their own',
  'npx tsx bench/': 'it takes minutes; bench files are run small by tests of their own',
  'RECORD=all': 'it would write the cassettes of the work tree; the suite replays them',
  'sandgate rerun RECORDING --against https://api.bank.example': 'there is no such bank',
  'sandgate rerun monday --against https://api.bank.example': 'there is no such bank',
  'npx sandgate rehearse': 'it needs an application; examples/rehearsal/rehearsal.test.ts runs three',
  'sandgate rehearse plan.json': 'it needs an application; examples/rehearsal/rehearsal.test.ts runs three',
  'sandgate report rehearsal': 'it needs a rehearsal before it',
  'git diff --cached --name-only': 'a hook of git; test/cli/scan.test.ts runs it in a repository',
  'curl -sN': 'it follows until it is stopped; test/e2e/live-events.test.ts does so',
  'sandgate store copy': 'there is no such database; test/cli/store-copy.test.ts runs it with a real one',
  'sandgate verify june.zip --key pub.pem':
    'the store of the documents has no key of its own; test/cli/bundle.test.ts verifies one so',
  'sandgate trust': 'it needs lists of states; test/cli/trust.test.ts makes some',
  'sandgate serve --trust-list': 'it needs a snapshot; test/e2e/trust-list.test.ts starts with one',
  'sandgate certs inspect qwac.pem --trust-list': 'it needs a snapshot; test/cli/trust.test.ts makes one',
  'sandgate serve --register': 'it needs the register of the EBA; test/cli/trust.test.ts has one of its form',
  'sandgate certs inspect qwac.pem --register':
    'it needs the register of the EBA; test/cli/trust.test.ts has one of its form',
  'sqlite3 -readonly':
    'a shell of SQLite is not on each machine; test/store/views.test.ts reads the views of both stores',
  'psql -c': 'it needs a server; test/store/views.test.ts reads the views of both stores',
  'sandgate tail': 'it ends with Ctrl-C; test/cli/tail.test.ts runs it',
  'sandgate sessions export S [': 'a synopsis',
  'sandgate sessions import FILE [': 'a synopsis',
};

/** Lines that end with another status than 0, as they should. */
export const STATUS: Readonly<Record<string, number>> = {
  // The recording has faults on purpose.
  'sandgate check FILE': 1,
  // Nobody of whom these documents tell is in the store.
  'sandgate erase': 1,
  'sandgate report ci --format junit': 1,
  // Nothing was called: a gate that judges nothing would always be open.
  'npx sandgate report "$(date -u +%F)"': 1,
  // A name of the reserved ending .example leads nowhere.
  'npx sandgate doctor --upstream': 1,
};

/** Blocks in other languages than that of a shell, and what stands for running them. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  text: 'what a program prints, or a drawing',
  yaml: 'a part of a pipeline or of another program; commands of ours in it are checked for their form',
  json: 'settings are loaded, other files are parsed',
  ts: 'run where it is whole; that of docs/testing.md is part of a test of its reader',
  sql: 'test/store/views.test.ts runs each',
  nginx: 'settings of another program',
  haproxy: 'settings of another program',
};

export function found<T>(table: Readonly<Record<string, T>>, line: string): T | undefined {
  const key = Object.keys(table).find((beginning) => line.startsWith(beginning));
  return key === undefined ? undefined : table[key];
}
