/** A client that throws at a miss ends its test before a matcher runs: the output tells of the miss all the same. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const built = (file: string) => JSON.stringify(new URL(`../../dist/testing/${file}`, import.meta.url).href);

/** As a user's would be: each call throws where the answer is none of 2xx. */
const SUITE = `
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { replaySession } from ${built('index.js')};
import ${built('vitest.js')};

async function open(file) {
  const gateway = await replaySession(file, { log: () => undefined });
  const dispatcher = new Agent(gateway.agent());
  onTestFinished(async () => {
    await dispatcher.close();
    await gateway.close();
  });
  const read = async (id) => {
    const url = gateway.urls.api + '/stdgroup/v1/consents/' + id + '/status';
    const answer = await request(url, { dispatcher, headers: { 'x-request-id': crypto.randomUUID() } });
    if (answer.statusCode >= 300) throw new Error('client failed with ' + answer.statusCode);
    return answer.body.json();
  };
  return { gateway, read };
}

it('records', async () => {
  await (await open('consent.json')).read('VALID_CONSENT_ID');
});

it('throws at a miss', async () => {
  await (await open('consent.json')).read('CONSENT_ID_REJECTED');
});

it('fails for another reason', async () => {
  await (await open('consent.json')).read('VALID_CONSENT_ID');
  expect(1).toBe(2);
});

it('is told by the matcher', async () => {
  const { gateway, read } = await open('consent.json');
  await read('VALID_CONSENT_ID');
  await read('CONSENT_ID_EXPIRED').catch(() => undefined);
  expect(gateway).toHaveUsedWholeRecording();
});

it('takes the miss as it is', async () => {
  await (await open('consent.json')).read('CONSENT_ID_RECEIVED').catch(() => undefined);
});
`;

interface Result {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

let results: readonly Result[];
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-suite-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'consent.test.js'), SUITE);
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--maxWorkers=1'];
  const stdout = await new Promise<string>((resolve) => {
    const env = { ...process.env, CI: '', SANDGATE_RECORD: '', VITEST: '' };
    execFile(process.execPath, args, { cwd: folder, env }, (_, text) => resolve(text));
  });
  rmSync(folder, { recursive: true, force: true });
  results = JSON.parse(stdout).testResults[0].assertionResults;
});

const resultOf = (title: string) => results.find((one) => one.title === title);

describe('the output of a test', () => {
  it('that failed at a miss holds what the client threw, and the miss with its difference and command', () => {
    const { status, failureMessages = [] } = resultOf('throws at a miss') ?? {};
    expect(status).toBe('failed');
    expect(failureMessages[0]).toContain('client failed with 404');
    expect(failureMessages[1]).toMatch(
      /1 call had no answer in the recording:\n {2}GET \/stdgroup\/v1\/consents\/CONSENT_ID_REJECTED\/status: .*path consentId: expected VALID_CONSENT_ID, found CONSENT_ID_REJECTED.* See consent\.json:\d+\. Mode all records the journey again: SANDGATE_RECORD=all npx vitest run/,
    );
  });

  it('that failed for another reason holds no miss, nor those of tests before it', () => {
    expect(resultOf('fails for another reason')?.failureMessages).toHaveLength(1);
  });

  it('holds a miss once where a matcher tells it', () => {
    const { failureMessages = [] } = resultOf('is told by the matcher') ?? {};
    expect(failureMessages).toHaveLength(1);
    expect(failureMessages[0]).toContain('CONSENT_ID_EXPIRED');
  });

  it.each(['records', 'takes the miss as it is'])('that passed is left alone: %s', (title) => {
    expect(resultOf(title)?.status).toBe('passed');
  });
});
