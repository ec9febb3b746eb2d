import { describe, expect, it } from 'vitest';
import { createLog, errorFacts, type LogLevel } from '../../../src/app/system/system-parts.js';
import { SandgateError } from '../../../src/spec/index.js';

const AT = Date.UTC(2026, 10, 23, 9, 30);

function logOf(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, write: (line) => lines.push(line), clock: () => AT });
  return { log, lines };
}

describe('the log', () => {
  it('writes a line of JSON: level, time, facts, and what is said at the end', () => {
    const { log, lines } = logOf('info');
    log.warn({ session: 'a\nb', left: undefined }, 'It is "so".');
    expect(lines).toEqual([
      '{"level":"warn","time":"2026-11-23T09:30:00.000Z","session":"a\\nb","msg":"It is \\"so\\"."}\n',
    ]);
  });

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['fatal', []],
    ['silent', []],
  ] as const)('at level %s tells %j', (level, told) => {
    const { log, lines } = logOf(level);
    for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]({}, name);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(told);
  });

  it('strikes out what is named like a secret, as deep as facts go', () => {
    const { log, lines } = logOf('info');
    log.info(
      { adminToken: 'one', call: { authorization: 'two', sent: [{ code: 'three', path: '/v1' }] } },
      '',
    );
    expect(JSON.parse(lines.join(''))).toMatchObject({
      ...{ adminToken: '…', call: { authorization: '…', sent: [{ code: '…', path: '/v1' }] } },
    });
  });

  it('tells of an error by its code, as docs/errors.md promises', () => {
    const { log, lines } = logOf('info');
    log.error(errorFacts(new SandgateError('report.needs-folder', {})), 'It failed.');
    expect(JSON.parse(lines.join(''))).toMatchObject({ fault: 'report.needs-folder' });
  });
});
