/** Whoever holds the store and no key notes removals and settings, and a report says what nobody witnessed. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { startTestGateway } from './harness.js';
import { attackerOf, removedNote } from './store-attacker.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const genuine = path('genuine.db');
const outside = path('checkpoints.jws');
let key: string;

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const HOUR_MS = 3_600_000;

/** Two runs of a gateway: five good calls, three that violate a must, four good ones. */
beforeAll(async () => {
  const settings = { store: genuine, checkpointTo: outside, stance: 'observe' };
  const first = await startTestGateway(settings);
  key = join(first.certs, 'evidence.pub');
  const good = (gateway: typeof first) =>
    gateway.call(CONSENT, { headers: { 'X-Request-ID': crypto.randomUUID() } });
  for (let i = 0; i < 5; i++) await good(first);
  for (let i = 0; i < 3; i++) await first.call(CONSENT, { headers: { 'PSU-IP-Address': 'localhost' } });
  await first.close();
  const second = await startTestGateway(settings);
  for (let i = 0; i < 4; i++) await good(second);
  await second.close();
});

let made = 0;

/** A copy of the store, changed; then what `report` and `verify` say of it. */
async function attacked(attack: (attacker: ReturnType<typeof attackerOf>) => void, ...flags: string[]) {
  const store = path(`attacked-${++made}.db`);
  copyFileSync(genuine, store);
  copyFileSync(`${genuine}.key`, `${store}.key`);
  const attacker = attackerOf(store);
  attack(attacker);
  attacker.close();
  return saidOf(store, ...flags);
}

async function saidOf(store: string, ...flags: string[]) {
  const file = `${store}.json`;
  const ours = ['--store', store, '--evidence-key', key, ...flags];
  const clock = Date.now;
  const said = await sandgate(['report', 'test', ...ours, '--out', file], { clock });
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const { out, status } = await sandgate(['verify', file, ...ours], { clock });
  const required = await sandgate(['report', 'test', ...ours, '--require', 'witnessed'], { clock });
  return { report, said, verify: { out, status }, required: required.status };
}

const idOf = (id: number): string => {
  const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let [text, rest] = ['', BigInt(id)];
  for (let i = 0; i < 11; i++, rest /= 32n) text = signs[Number(rest % 32n)] + text;
  return text;
};

const WAIVER = { rule: 'requests/psu-ip-address-valid', reason: 'Never mind.', until: '2099-12-31' };

describe('a session that nobody touched', () => {
  it('is witnessed, notes too', async () => {
    const { report, verify, required } = await saidOf(genuine, '--checkpoints', outside);
    expect(report.evidence).toMatchObject({ level: 'witnessed', witness: { left: 0 } });
    expect(report.evidence.witness).not.toHaveProperty('notes');
    expect(report.verdict.tpp.outcome).toBe('must-violated');
    expect([verify.status, required], verify.out).toEqual([0, 0]);
  });
});

describe('exchanges that are taken out under a note on their removal', () => {
  type Which = (places: readonly number[]) => readonly number[];
  const removing =
    (which: Which, more: Record<string, unknown> = {}, dropped = which) =>
    ({ entries, drop, addNote }: ReturnType<typeof attackerOf>) => {
      const before = entries();
      const places = before.filter(({ table }) => table === 'exchanges').map(({ seq }) => seq);
      const note = removedNote(before, which(places), idOf);
      drop(dropped(places));
      addNote('removed', { ...note, ...more }, Date.now() + HOUR_MS);
    };
  const OLDEST = (places: readonly number[]) => places.slice(0, 8);
  const FILLED = { by: { keepSize: 5 * 1_073_741_824, size: 6 * 1_073_741_824 } };

  it('are missing, where older ones are there', async () => {
    const { report, said, verify } = await attacked(removing((places) => places.slice(5, 8), FILLED));
    expect(report.evidence).toMatchObject({ level: 'broken', gaps: 3 });
    expect([said.status, verify.status]).toEqual([1, 1]);
  });

  it('are missing, where newer ones that are said to be gone are there', async () => {
    const { report } = await attacked(removing(OLDEST, FILLED, (places) => places.slice(5, 7)));
    expect(report.evidence).toMatchObject({ level: 'broken', gaps: 2 });
  });

  it('are missing, where no retention that was configured would remove them', async () => {
    for (const more of [{}, { by: { keepDays: 1 } }, { by: { keepSize: 1, size: 2 } }]) {
      const { report, said, verify } = await attacked(removing(OLDEST, more));
      expect(report.evidence).toMatchObject({ level: 'broken', breaks: [{ kind: 'removed', missing: 8 }] });
      expect([said.status, verify.status]).toEqual([1, 1]);
      expect(verify.out).toMatch(/removed.*does not follow from the retention/);
    }
  });

  it('are told as such, where no checkpoint covers the note', async () => {
    const { report, verify, required, said } = await attacked(removing(OLDEST, FILLED));
    const { level, sentence, removed, witness } = report.evidence;
    expect([level, removed.unwitnessed, witness.notes.left, required]).toEqual(['consistent', true, 3, 1]);
    expect(witness.notes.first.at(-1)).toMatchObject({ kind: 'removed' });
    expect(sentence).toMatch(
      /A note says that the gateway removed 8 exchanges .*No checkpoint covers this note/,
    );
    expect(sentence).not.toContain('as configured');
    expect(verify.out).toMatch(/No checkpoint covers 3 notes: .*removed \(entry \d+\)/);
    expect(said.status).toBe(0);
  });

  it('leave nothing in front of them witnessed', async () => {
    const { report } = await attacked((attacker) => {
      const started = attacker.notes('started')[0]?.seq ?? 0;
      attacker.rewriteNote(started, (settings) => ({ ...settings, waivers: [WAIVER] }));
      removing(OLDEST, FILLED)(attacker);
    });
    const kinds = report.evidence.witness.notes.first.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['created', 'started', 'removed']));
  });

  it('leave what is still to go unwitnessed: it could be anything', async () => {
    const { report } = await attacked(removing(OLDEST, FILLED, (places) => places.slice(4, 8)));
    expect(report.evidence).toMatchObject({ level: 'consistent', witness: { exchanges: 4, left: 4 } });
    expect(report.evidence.sentence).toMatch(
      /^Consistent in itself, and witnessed in part: .* 4 records; for 4 others there is only the chain\./,
    );
  });

  it('are found missing by a checkpoint that was kept outside, where more is said to be gone than ever was', async () => {
    const attack = ({ entries, drop, addNote, db }: ReturnType<typeof attackerOf>) => {
      const before = entries();
      const cut = before.filter(({ seq }) => seq > 8);
      const last = before.find(({ seq }) => seq === 8);
      drop(cut.map(({ seq }) => seq));
      db.prepare('UPDATE chains SET last = 8, head = ?').run(last?.hash);
      addNote('removed', { ...removedNote(before, [3], idOf), through: 100, ...FILLED });
    };
    const { report } = await attacked(attack, '--checkpoints', outside);
    expect(report.evidence.level).toBe('broken');
  });
});

describe('settings that are noted afterwards', () => {
  it.each([
    ['started', { profile: 'production', stance: 'enforce', waivers: [WAIVER] }],
    ['started', { profile: 'sandbox', rules: { 'requests/psu-ip-address-valid': 'off' } }],
    ['changed', { waivers: [WAIVER], profile: 'production' }],
    ['imported', { recordedBy: 'others', profile: 'production' }],
  ])('change no verdict before them: %s %j', async (kind, settings) => {
    const { report: before } = await saidOf(genuine);
    const { report, required, verify } = await attacked(({ addNote, notes }) => {
      addNote(kind, { ...notes('started')[0]?.settings, ...settings });
    });
    expect(report.verdict).toEqual(before.verdict);
    expect(report.findings).toEqual(before.findings);
    expect(report.head.profile).toEqual(before.head.profile);
    expect([report.head.waivers, report.head.overrides, report.head.stances]).toEqual([[], [], ['observe']]);
    expect(report.evidence.witness.notes).toMatchObject({ left: 1, first: [{ kind }] });
    expect([report.evidence.level, required]).toEqual(['consistent', 1]);
    expect(verify.out).toMatch(new RegExp(`No checkpoint covers 1 note: ${kind} \\(entry \\d+\\)`));
  });

  it('and put between are found by the checkpoint', async () => {
    const { report, verify } = await attacked(({ notes, rewriteNote }) => {
      rewriteNote(notes('started')[1]?.seq ?? 0, (settings) => ({ ...settings, waivers: [WAIVER] }));
    });
    expect([report.evidence.level, verify.status]).toEqual(['broken', 1]);
  });
});

describe('a tail that is cut back to a checkpoint', () => {
  const cut = ({ notes, entries, drop, db }: ReturnType<typeof attackerOf>) => {
    const end = notes('checkpoint')[0]?.seq ?? 0;
    const before = entries();
    drop(before.filter(({ seq }) => seq > end).map(({ seq }) => seq));
    db.prepare('UPDATE chains SET last = ?, head = ?').run(end, before.find(({ seq }) => seq === end)?.hash);
    const newest = "SELECT max(at) FROM notes WHERE kind IN ('started', 'stopped')";
    db.exec(`UPDATE chains SET last_at = (${newest})`);
  };

  it('is found by the checkpoints that were kept outside, in a report too', async () => {
    const { report, said, verify } = await attacked(cut, '--checkpoints', outside);
    expect(report.evidence).toMatchObject({ level: 'broken', witness: { differing: 1, outside: 1 } });
    expect([said.status, verify.status]).toEqual([1, 1]);
  });

  it('is not without them', async () => {
    expect((await attacked(cut)).report.evidence.level).toBe('witnessed');
  });
});

describe('what the gateway does itself', () => {
  /** The gateway goes on in the session three days later, and its first look at what is too old comes after a second. */
  async function retained(settings: Record<string, unknown>, from = genuine) {
    const store = path(`retained-${++made}.db`);
    copyFileSync(from, store);
    copyFileSync(`${from}.key`, `${store}.key`);
    copyFileSync(outside, `${store}.jws`);
    const gateway = await startTestGateway({
      ...{ store, stance: 'observe', checkpointTo: `${store}.jws` },
      ...settings,
    });
    gateway.move(3 * 24 * HOUR_MS);
    await gateway.call(CONSENT);
    const left = async () => (await gateway.records()).length;
    await expect.poll(left, { timeout: 20_000 }).toBe(1);
    await gateway.close();
    return store;
  }

  it('counts: a removal by its retention, and the settings that stay in front of it', async () => {
    const store = await retained({ keepDays: 1 });
    const { report, verify, required } = await saidOf(store, '--checkpoints', `${store}.jws`);
    expect(report.evidence.sentence).toMatch(
      /Before, 12 exchanges .* were removed by the gateway, as configured/,
    );
    expect(report.evidence).toMatchObject({ level: 'witnessed', removed: { exchanges: 12 } });
    expect([verify.status, required], verify.out).toEqual([0, 0]);
  });

  it('is found where the settings in front of what it removed are changed', async () => {
    const store = await retained({ keepDays: 1 });
    const attacker = attackerOf(store);
    attacker.rewriteNote(2, (settings) => ({ ...settings, waivers: [WAIVER] }));
    attacker.close();
    const { report, verify } = await saidOf(store);
    expect([report.evidence.level, verify.status]).toEqual(['broken', 1]);
  });

  it('is told where it is done to a chain that was copied, to which no gateway adds', async () => {
    const copy = path('copy.db');
    const copied = await sandgate(['store', 'copy', genuine, copy]);
    expect(copied.status, copied.err).toBe(0);
    const { report, verify } = await saidOf(await retained({ keepDays: 1 }, copy));
    const { level, removed, witness } = report.evidence;
    expect([level, removed.exchanges, removed.unwitnessed]).toEqual(['consistent', 12, true]);
    expect(witness.notes.first.at(-1)).toMatchObject({ kind: 'removed' });
    expect(verify.status, verify.out).toBe(0);
  });

  it('is no longer asked for by old checkpoints, where a session was removed and recorded anew', async () => {
    const store = path('anew.db');
    copyFileSync(genuine, store);
    copyFileSync(`${genuine}.key`, `${store}.key`);
    expect((await sandgate(['sessions', 'rm', 'test', '--store', store])).err).toBe('');
    copyFileSync(outside, `${store}.jws`);
    const gateway = await startTestGateway({ store, checkpointTo: `${store}.jws` });
    await gateway.call(CONSENT);
    await gateway.close();
    const { report, verify } = await saidOf(store, '--checkpoints', `${store}.jws`);
    expect([report.evidence.level, verify.status], verify.out).toEqual(['witnessed', 0]);
    expect(verify.out).toContain('2 checkpoints kept outside are of a session of this name that is gone.');
  });

  it('is told by count and place where it has signed nothing yet', async () => {
    const store = path('recording.db');
    const gateway = await startTestGateway({ store });
    await gateway.call(CONSENT);
    await gateway.close();
    const again = await startTestGateway({ store });
    await again.call(CONSENT);
    const { report, verify } = await saidOf(store);
    await again.close();
    const { level, sentence, witness } = report.evidence;
    expect([level, witness.left, witness.notes.left]).toEqual(['consistent', 1, 1]);
    expect(sentence).toMatch(/No checkpoint covers 1 note: started \(entry 6\)\./);
    expect(verify.status, verify.out).toBe(0);
    expect((await saidOf(store)).report.evidence.level).toBe('witnessed');
  });
});
