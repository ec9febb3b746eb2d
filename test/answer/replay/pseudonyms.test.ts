/** A recording without people in it replays for a client that sends their clear values. */
import { describe, expect, it } from 'vitest';
import type { ReplayParts } from '../../../src/answer/replay/replay-parts.js';
import { createPseudonyms, pseudonymise } from '../../../src/exchange/index.js';
import { type CallParts, fingerprint } from '../../builders.js';
import { aRecording, aReplay, type Recorded, type Settings } from './a-replay.js';

const ofStore = createPseudonyms(new Uint8Array(32).fill(1));
const ofOther = createPseudonyms(new Uint8Array(32).fill(2));

const JANE = { creditorName: 'Jane Doe', creditorAccount: { iban: 'BE86986509812450' } };
const JOHN = { creditorName: 'John Roe', creditorAccount: { iban: 'BE14983120441783' } };
const MARY = { creditorName: 'Mary Poe', creditorAccount: { iban: 'BE67983610020587' } };
const text = 'remittanceInformationUnstructured';
const pay = (creditor: object, more: object = {}): CallParts => ({
  operation: 'payments.create',
  body: {
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    ...creditor,
    [text]: 'Rent of May',
    ...more,
  },
});
const read = (paymentId: string): CallParts => ({ operation: 'payments.read', params: { paymentId } });
const RECORDED: readonly Recorded[] = [
  { call: pay(JANE), answer: { status: 201, body: { paymentId: 'P-1' } } },
  { call: read('P-1'), answer: { body: JANE } },
  { call: pay(JOHN), answer: { status: 201, body: { paymentId: 'P-2' } } },
  { call: read('P-2'), answer: { body: JOHN } },
];

function replayOf(parts: Settings['parts'], recorded = RECORDED) {
  const records = aRecording(recorded).map((exchange) => pseudonymise(exchange, ofStore));
  return aReplay([], { parts: { records, ...parts } });
}
const KEYS: Readonly<Record<string, Pick<ReplayParts, 'fingerprint' | 'pseudonyms'>>> = {
  'a session of the store': { fingerprint, pseudonyms: ofStore },
  'a cassette of this store': { pseudonyms: ofStore },
  'a cassette of another store': { pseudonyms: ofOther },
  'a cassette, and no key': {},
};

describe.each(Object.entries(KEYS))('%s', (_, parts) => {
  it('holds no clear value', () => {
    const all = aRecording(RECORDED).map((exchange) => pseudonymise(exchange, ofStore).exchange);
    expect(JSON.stringify(all)).not.toMatch(/Jane|BE86986509812450|Rent/);
  });

  it('answers each payment with its own, and shows the values that this run sent', async () => {
    const { ask } = replayOf(parts);
    expect((await ask(pay(JANE)))?.json).toEqual({ paymentId: 'P-1' });
    expect((await ask(pay(JOHN)))?.json).toEqual({ paymentId: 'P-2' });
    expect((await ask(read('P-2')))?.json).toEqual(JOHN);
    expect((await ask(read('P-1')))?.json).toEqual(JANE);
  });

  it('knows a value again that it has learned, however it is written', async () => {
    const { ask } = replayOf(parts, [...RECORDED, ...RECORDED.slice(0, 1)]);
    await ask(pay(JANE));
    const spaced = { ...JANE, creditorAccount: { iban: 'be86 9865 0981 2450' } };
    expect((await ask(pay(spaced)))?.status).toBe(201);
    expect((await ask(pay(MARY)))?.miss?.kind).toBe(
      'fingerprint' in parts || parts.pseudonyms === ofStore ? 'differs' : undefined,
    );
  });

  it('takes the pseudonyms themselves', async () => {
    const { ask } = replayOf(parts);
    const [first] = aRecording(RECORDED).map((exchange) => pseudonymise(exchange, ofStore).exchange);
    const sent = await ask({ operation: 'payments.create', body: first?.call.request.body?.text });
    expect(sent?.json).toEqual({ paymentId: 'P-1' });
  });

  it('still tells other amounts apart', async () => {
    const other = pay(JANE, { instructedAmount: { currency: 'EUR', amount: '11.00' } });
    expect((await replayOf(parts).ask(other))?.miss?.kind).toBe('differs');
  });
});

describe('with the key', () => {
  it.each(['a session of the store', 'a cassette of this store'])('the order is free: %s', async (name) => {
    const { ask } = replayOf(KEYS[name]);
    expect((await ask(pay(JOHN)))?.json).toEqual({ paymentId: 'P-2' });
    expect((await ask(pay(JANE)))?.json).toEqual({ paymentId: 'P-1' });
  });

  it('of the session, what was not recorded is a miss at once', async () => {
    expect((await replayOf(KEYS['a session of the store']).ask(pay(MARY)))?.miss?.kind).toBe('differs');
  });
});

it('in a recording of clear values one person is never another', async () => {
  const { ask } = aReplay(RECORDED, { parts: { pseudonyms: ofStore } });
  expect((await ask(pay(MARY)))?.miss?.kind).toBe('differs');
});
