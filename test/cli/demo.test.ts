/** `sandgate demo`: what somebody sees who has never seen a journey. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram, temporaryFolder } from '../e2e/child.js';

it('plays a journey in which each mistake is named and then mended, and leaves no file behind', async () => {
  const folder = temporaryFolder();
  const tmp = join(folder, 'tmp');
  mkdirSync(tmp);
  const child = startProgram(['demo'], { folder, env: { TMPDIR: tmp, SANDGATE_BANK: 'sandbox' } });
  const { code, stdout, stderr } = await child.ended;
  expect([code, stderr]).toEqual([0, '']);
  const scenes = stdout.split(/^(?=[✗✓•] )/mu).slice(1);
  const shown = scenes.map((scene) => [scene[0], ...statusesOf(scene)].join(' '));
  expect(shown).toEqual([
    ...['✗ 400', '✓ 201', '• 200 302', '✗ 400', '✓ 200', '✗ 401', '✓ 200', '• 200 200 200 200'],
    ...['✗ 429', '✓ 200', '✗ 400', '✓ 201', '• 200 302 200'],
  ]);
  const rules = [
    ...['consents/valid-until-is-a-date', 'oauth/verifier-matches-challenge'],
    ...['accounts/token-belongs-to-consent', 'accounts/within-daily-limit', 'payments/amount-well-formed'],
  ];
  expect(
    scenes.filter((one) => one.startsWith('✗')).map((one) => rules.find((id) => one.includes(id))),
  ).toEqual(rules);
  for (const right of scenes.filter((one) => !one.startsWith('✗')))
    expect(right).not.toMatch(/ (?:must|should) /);
  expect([readdirSync(tmp), existsSync(join(folder, 'data')), existsSync(join(folder, 'certs'))]).toEqual([
    ...[[], false, false],
  ]);
});

it('leaves no file behind where its reader goes away', async () => {
  const tmp = temporaryFolder();
  const shell = '"$@" | head -1; exit 0;';
  const child = startProgram(['demo'], { shell, env: { TMPDIR: tmp } });
  expect((await child.ended).stdout).toBe('\n');
  expect(readdirSync(tmp)).toEqual([]);
});

it('stays on a terminal until it is stopped, so that the page can be looked at', async () => {
  const shell = 'exec script -qefc "stty cols 90; echo pid=\\$\\$; exec $*" /dev/null;';
  const child = startProgram(['demo'], { shell });
  const text = await child.prints('until you stop with Ctrl-C: http');
  const page =
    /Ctrl-C: (http:\/\/\S+)/.exec(await child.prints('\n'))?.[1] ??
    /http:\/\/localhost:\d+$/m.exec(text)?.[0];
  expect((await fetch(`${page}/readyz`)).status).toBe(200);
  process.kill(Number(/pid=(\d+)/.exec(text)?.[1]), 'SIGINT');
  expect((await child.ended).code).toBe(0);
});

/** Of the lines of calls in it. */
const statusesOf = (scene: string): string[] =>
  [...scene.matchAll(/^\d\d:\d\d:\d\d \S+ +\S+ +(\d{3}) /gm)].map(([, status = '']) => status);
