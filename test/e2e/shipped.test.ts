/** What is tested is what is shipped. */
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore as createStore } from '../../src/store/index.js';
import { MAIN, startServing } from './child.js';
import { testCertificates } from './harness.js';
import { HOSTILE } from './hostile.js';

const SOURCE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

it('what a test imports from src/ is what was built from it', () => {
  const stackOf = (act: () => unknown): string => {
    try {
      return String(act());
    } catch (error) {
      return (error as Error).stack ?? '';
    }
  };
  const stack = stackOf(() => createStore({ path: '/nowhere/at/all.db', readonly: true }));
  expect(stack).toContain('/dist/store/');
  expect(stack).not.toContain('/src/');
});

it('to every hostile request the build answers as the sources do', async () => {
  const certs = await testCertificates();
  const answersOf = async (node: readonly string[]) => {
    const serving = await startServing(certs, [], undefined, {}, undefined, node);
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    const answers: string[] = [];
    for (const bytes of HOSTILE) answers.push(await answerTo(Number(new URL(serving.ready.api).port), bytes));
    return answers;
  };
  const [ofBuild, ofSources] = await Promise.all([
    answersOf([MAIN]),
    answersOf(['--import', import.meta.resolve('tsx'), SOURCE]),
  ]);
  expect(ofBuild).toEqual(ofSources);
  expect(ofBuild.filter((answer) => !/^HTTP\/1\.1 [45]/.test(answer))).toEqual([]);
});

/** Without what differs from one answer to the next. */
async function answerTo(port: number, bytes: Uint8Array): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(bytes));
  let text = '';
  for await (const piece of socket.setEncoding('utf8')) text += piece;
  return text
    .replaceAll(/^Date: .*$/gm, 'Date')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{11}\b/gi, 'ID')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
    .replaceAll(/localhost:\d+/g, 'localhost');
}
