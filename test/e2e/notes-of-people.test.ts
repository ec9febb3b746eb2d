/** What operators write about people, in sessions and imports that recognise nobody. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './child.js';
import { startTestGateway } from './harness.js';

const IBAN = 'BE68539007547034';
const TEXT = 'For Wilhelmina, with thanks';
const SECRET = 'https://tpp.example/?access_token=geheim-4711-geheim-4711';

async function steered(settings: Record<string, unknown>) {
  const faults = join(temporaryFolder(), 'faults.json');
  writeFileSync(
    faults,
    JSON.stringify([{ id: 'of-one', where: `text:${IBAN}`, do: { kind: 'status', status: 503 } }]),
  );
  const gateway = await startTestGateway({ bank: 'living', faults, ...settings });
  onTestFinished(gateway.close);
  const admin = (path: string, json: object) =>
    gateway.call(`/api${path}`, { side: 'admin', method: 'POST', json });
  const { json: psus } = await gateway.call('/api/bank/psus', { side: 'admin' });
  const [account] = psus[0].accounts;
  const at = `/bank/accounts/${account.resourceId}`;
  expect((await admin(`${at}/book`, { amount: '-1.00', text: TEXT })).status).toBe(200);
  expect((await admin(`${at}/book`, { amount: '-1.00', text: SECRET })).status).toBe(200);
  expect((await admin(`${at}/change-iban`, { iban: IBAN })).status).toBe(200);
  expect((await admin('/faults', { id: 'x', where: `text:${IBAN}`, do: { kind: 'hang' } })).status).toBe(200);
  await gateway.app.recorder.drain();
  const [{ notes } = { notes: [] }] = await gateway.app.store.sessions();
  return JSON.stringify(notes);
}

describe('notes of what operators do', () => {
  it('recognise nobody in a session with pseudonyms', async () => {
    const notes = await steered({ pseudonymise: true });
    expect([IBAN, 'Wilhelmina', 'geheim'].filter((one) => notes.includes(one))).toEqual([]);
    expect(notes).toContain('change-iban');
  });

  it('hold no secret in any session', async () => {
    const notes = await steered({});
    expect([IBAN, 'Wilhelmina', 'geheim'].filter((one) => notes.includes(one))).toEqual([IBAN, 'Wilhelmina']);
  });
});
