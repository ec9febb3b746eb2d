/** A verdict is by the settings that were in force when its call came, and the head of a report names every waiver. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { startTestGateway } from './harness.js';

const folder = folderOfFile();
const store = join(folder, 'sandgate.db');
let key: string;

const RULE = 'requests/psu-ip-address-valid';
const WAIVER = { rule: RULE, reason: 'Mended with release 4', until: '2099-12-31' };

/** A violation in each of three periods: sandbox, the same with a waiver, production without it. */
beforeAll(async () => {
  const violate = (gateway: Awaited<ReturnType<typeof startTestGateway>>) =>
    gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', {
      headers: { 'PSU-IP-Address': 'localhost', 'X-Request-ID': crypto.randomUUID() },
    });
  const first = await startTestGateway({ store });
  key = join(first.certs, 'evidence.pub');
  await violate(first);
  const headers = { 'Content-Type': 'application/json' };
  await first.call('/api/waivers', { side: 'admin', json: WAIVER, headers });
  await violate(first);
  await first.close();
  const second = await startTestGateway({ store, profile: 'production', stance: 'observe' });
  await violate(second);
  await second.close();
});

async function reported(...flags: string[]) {
  const file = join(folder, `report-${flags.join('')}.json`);
  const ours = ['--store', store, '--evidence-key', key];
  const clock = Date.now;
  await sandgate(['report', 'test', ...ours, ...flags, '--out', file], { clock });
  const { out, status } = await sandgate(['verify', file, ...ours], { clock });
  return { report: JSON.parse(readFileSync(file, 'utf8')), verified: { out, status } };
}

/** The waived reason of each finding of the rule, in order. */
const waivedIn = ({ findings }: { findings: { rule: string; occurrences: { waived: string | null }[] }[] }) =>
  findings.find(({ rule }) => rule === RULE)?.occurrences.map(({ waived }) => waived);

describe('a session whose settings changed', () => {
  it('is reported as each call was judged when it came', async () => {
    const { report, verified } = await reported();
    expect(waivedIn(report)).toEqual([null, WAIVER.reason, null]);
    expect(report.verdict.tpp).toMatchObject({ outcome: 'must-violated', findings: { waived: 1 } });
    const { profile, stances, waivers, notes } = report.head;
    expect(profile).toEqual({
      ...{ judged: 'production', periods: ['sandbox', 'production'] },
      ...{ recorded: ['sandbox', 'production'], rejudged: false },
    });
    expect(stances).toEqual(['enforce', 'observe']);
    expect(waivers).toMatchObject([{ rule: RULE, reason: WAIVER.reason, used: 1 }]);
    expect(notes.join(' ')).toContain('each call is judged by those that were in force when it came');
    expect(report.evidence.level).toBe('witnessed');
    expect(verified.status, verified.out).toBe(0);
    expect(verified.out).not.toContain('Chosen by its maker');
  });

  it('keeps its waivers where they were when all of it is judged again', async () => {
    const { report, verified } = await reported('--profile', 'production');
    expect(waivedIn(report)).toEqual([null, WAIVER.reason, null]);
    expect(report.head.profile).toMatchObject({ judged: 'production', rejudged: true });
    expect(report.head.profile).not.toHaveProperty('periods');
    expect(verified.status, verified.out).toBe(0);
    expect(verified.out).toContain('recipe.judgings');
  });

  it.each(['json', 'markdown', 'junit', 'sarif', 'html'])(
    'names each waiver with its reason in the head: %s',
    async (format) => {
      const { out } = await sandgate(
        ['report', 'test', '--store', store, '--evidence-key', key, '--format', format],
        { clock: Date.now },
      );
      const head = format === 'json' ? JSON.stringify(JSON.parse(out).head) : out;
      expect(head).toContain(WAIVER.reason);
      if (format !== 'json')
        expect(head).toMatch(/requests\/psu-ip-address-valid.{0,60}until 2099-12-31.{0,20}Mended/);
    },
  );
});
