/** The command of `sandgate rerun --token-command`: what it is told, and what is made of what it prints. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { TokenNeed } from '../../src/app/rerun/index.js';
import { openLender } from '../../src/cli/rerun-token.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();

const NEED: TokenNeed = {
  against: 'https://api.bank.example',
  scope: 'AIS:c-1',
  consentId: 'c-1',
  paymentId: null,
  link: "https://bank.example/authorise?x='; touch stolen; '",
};

let count = 0;
/** Runs a script of Node as the command. */
async function ask(script: string, { signal = new AbortController().signal, ms = 20_000 } = {}) {
  const file = join(folder, `${count++}.cjs`);
  writeFileSync(file, script);
  const lender = openLender(
    { tokenCommand: `"${process.execPath}" "${file}"` },
    { env: { PATH: process.env.PATH }, signal },
    ms,
  );
  return lender?.ask(NEED);
}

it('is told in one line of JSON on standard input what the token is for', async () => {
  const seen = JSON.stringify(join(folder, 'seen.json'));
  const script = `const fs = require('node:fs');
    fs.writeFileSync(${seen}, fs.readFileSync(0));
    console.log(JSON.stringify({ access_token: 'a-token-1', consentId: 'c-2', expires_in: 60 }));`;
  expect(await ask(script)).toEqual({ token: 'a-token-1', consent: 'c-2' });
  const line = readFileSync(join(folder, 'seen.json'), 'utf8');
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toEqual(NEED);
});

it('may print the token alone, and leave its input unread', async () => {
  expect(await ask("process.stdin.destroy(); console.log('a-token-2')")).toEqual({
    token: 'a-token-2',
    consent: null,
  });
});

it.each([
  ['process.exit(3)', 'ended with status 3'],
  ["console.log('two words of a secret')", 'printed no access token'],
  ['', 'printed no access token'],
  ['console.log(\'{"access_token": \')', 'printed JSON that cannot be read'],
  ['console.log(\'{"access_token": 7}\')', 'printed no access token'],
  ["console.log('x'.repeat(1e6))", 'printed more than a token'],
])('gives no token and says why, without what it printed: %s', async (script, problem) => {
  expect(await ask(script)).toEqual({ problem: `the token command ${problem}` });
});

it('is ended where it takes too long', async () => {
  expect(await ask('setInterval(() => {}, 1e6)', { ms: 300 })).toEqual({
    problem: 'the token command has not ended after 0.3 s',
  });
});

it('is ended where the run is interrupted', async () => {
  const interrupted = new AbortController();
  interrupted.abort();
  const asked = ask('setInterval(() => {}, 1e6)', { signal: interrupted.signal });
  expect(await asked).toEqual({ problem: 'the token command was interrupted' });
});

it('is gone when its time is over, even where it ignores signals that ask', async () => {
  const seen = join(folder, 'port');
  const script = `process.on('SIGTERM', () => {});
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () =>
      require('node:fs').writeFileSync(${JSON.stringify(seen)}, String(server.address().port)));`;
  expect(await ask(script, { ms: 2_000 })).toEqual({ problem: 'the token command has not ended after 2 s' });
  const port = Number(readFileSync(seen, 'utf8'));
  await vi.waitFor(async () => {
    const [error] = await once(connect(port, '127.0.0.1'), 'error').catch((thrown) => [thrown]);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
