/** What is made of the answers of OCSP responders, over real sockets, at times that the test sets. */
import { expect, it, onTestFinished } from 'vitest';
import { createTrust, inspectCertificate, issueCrl, revocationText } from '../../src/certificate/index.js';
import { createAllowList } from '../../src/outgoing/index.js';
import { createResponses, type ResponsesParts } from '../../src/revocation/index.js';
import { NOW } from '../builders.js';
import { aQwac, DAY, ROOT, serial } from '../certificate/made.js';
import { BEHAVIOURS, type Behaviour, startResponder } from './responder.js';

const HOUR = 3_600_000;
const LOOPBACK = ['*', '127.0.0.0/8'];

async function asking(
  behaviour: Behaviour | (() => Behaviour),
  parts: Partial<ResponsesParts> = {},
  crls: string[] = [],
) {
  let now = NOW;
  const behaviourOf = typeof behaviour === 'function' ? behaviour : () => behaviour;
  const responder = await startResponder(behaviourOf, () => now);
  const verdicts: string[] = [];
  const responses = createResponses({
    addressAllowed: createAllowList(LOOPBACK).addressAllowed,
    nonce: () => Buffer.from('a nonce of a test'),
    onVerdict: (verdict) => verdicts.push(verdict),
    ...parts,
  });
  onTestFinished(responses.close);
  const trust = createTrust({ anchors: [ROOT.pem], crls, responses });
  const own = aQwac({ ocspUrl: responder.url });
  const look = (leaf = own) => inspectCertificate(leaf.der, [], trust, now);
  return {
    ...{ responder, responses, verdicts, look },
    /** The facts once what is under way is answered. */
    settled: async (leaf?: ReturnType<typeof aQwac>) => {
      await responses.answered(look(leaf).fingerprint256);
      return look(leaf);
    },
    move: (ms: number) => {
      now += ms;
    },
  };
}

const STATUS: Readonly<Record<string, string>> = { good: 'good', revoked: 'revoked' };

it.each(Object.entries(BEHAVIOURS))('an answer “%s” has its verdict', async (_, [behaviour, verdict]) => {
  const { look, settled, verdicts } = await asking(behaviour);
  expect(look().revocation).toEqual({ status: 'not-checked', ocsp: 'asking' });
  const { revocation } = await settled();
  expect(revocation).toMatchObject({ status: STATUS[verdict] ?? 'not-checked', ocsp: verdict });
  expect(verdicts).toEqual([verdict]);
});

it.each([
  [{ nonce: 'none' }, ['no-nonce'], /says that it is good, without the nonce of the question$/],
  [{ until: null }, ['no-next-update'], /says that it is good, without saying until when$/],
  [{ says: 'revoked' }, undefined, /^revoked since 20.*: its OCSP responder says that it is revoked$/],
  [{ status: 3 }, undefined, /^not known: its OCSP responder asks to be asked later$/],
] as const)('what an answer %j lacks, or says, is told', async (behaviour, notes, text) => {
  const facts = await (await asking(behaviour)).settled();
  expect(facts.revocation.ocspNotes).toEqual(notes);
  expect(revocationText(facts)).toMatch(text);
});

it('a hundred first looks at one certificate make one question, and none follows while the answer holds', async () => {
  const { look, settled, responder, move, responses } = await asking({});
  for (let i = 0; i < 100; i++) look();
  const facts = await settled();
  move(HOUR / 2);
  expect(responses.isCurrent(facts, NOW + HOUR / 2)).toBe(true);
  look();
  expect(responder.questions()).toBe(1);
});

it('an answer is renewed before it ends, and meanwhile holds', async () => {
  let says: 'good' | 'revoked' = 'good';
  const { settled, look, move, responder, responses } = await asking(() => ({ says }));
  const before = await settled();
  move(HOUR * 0.8);
  says = 'revoked';
  expect(responses.isCurrent(before, NOW + HOUR * 0.8)).toBe(false);
  expect(look().revocation.status).toBe('good');
  expect((await settled()).revocation.status).toBe('revoked');
  expect(responder.questions()).toBe(2);
});

it('a revocation stays where its responder is gone, a good answer ends', async () => {
  for (const says of ['revoked', 'good'] as const) {
    let gone = false;
    const silent: Behaviour = { raw: (response) => response.destroy() };
    const { settled, move } = await asking(() => (gone ? silent : { says }));
    await settled();
    gone = true;
    move(2 * HOUR);
    const expected = says === 'revoked' ? 'revoked' : 'unreachable';
    expect((await settled()).revocation.ocsp).toBe(expected);
  }
});

it('a responder that hangs is given up, and asked again after a minute', async () => {
  const { settled, move, responder, look } = await asking({ raw: () => {} }, { patience: 50 });
  expect((await settled()).revocation.ocsp).toBe('unreachable');
  look();
  expect(responder.questions()).toBe(1);
  move(60_000);
  await settled();
  expect(responder.questions()).toBe(2);
});

it('so many are asked at once, the others in turn', async () => {
  const { look, responses, responder } = await asking({}, { mostAtOnce: 2 });
  const leaves = Array.from({ length: 9 }, (_, i) =>
    aQwac({ serialNumber: serial(`number ${i}`), ocspUrl: responder.url }),
  );
  await Promise.all(leaves.map((leaf) => responses.answered(look(leaf).fingerprint256)));
  expect(leaves.map((leaf) => look(leaf).revocation.ocsp)).toEqual(leaves.map(() => 'good'));
});

it.each([
  ['names an inner address', 'http://127.0.0.1:1/', 'not-allowed'],
  ['names a name that leads to one', 'http://ocsp.example/', 'not-allowed'],
  ['names the address of cloud metadata', 'http://169.254.169.254/latest', 'not-allowed'],
  ['names one in other clothes', 'http://[::ffff:7f00:1]/', 'not-allowed'],
  ['names no HTTP', 'https://ocsp.example/', 'no-responder'],
  ['names nothing', undefined, 'no-responder'],
  ['names no address', 'http://', 'no-responder'],
])('a certificate that %s sends no question', async (_, ocspUrl, verdict) => {
  const { addressAllowed } = createAllowList(['*']);
  const { settled, responder } = await asking({}, { addressAllowed, resolve: async () => ['127.0.0.1'] });
  const leaf = aQwac(ocspUrl === undefined ? {} : { ocspUrl });
  expect((await settled(leaf)).revocation.ocsp).toBe(verdict);
  expect(responder.questions()).toBe(0);
});

it('what the user names is asked for a certificate that names none, wherever it is', async () => {
  const { responder } = await asking({});
  const { settled } = await asking({}, { own: new URL(responder.url), addressAllowed: () => false });
  expect((await settled(aQwac())).revocation).toMatchObject({ status: 'good', ocsp: 'good' });
  expect(responder.questions()).toBe(1);
});

it('a stranger has nobody asked', async () => {
  const { responder, responses } = await asking({});
  const trust = createTrust({ anchors: [], responses });
  const facts = inspectCertificate(aQwac({ ocspUrl: responder.url }).der, [], trust, NOW);
  expect(facts.revocation).toEqual({ status: 'not-checked' });
  expect(responses.answered(facts.fingerprint256)).toBeUndefined();
});

it('a revocation counts wherever it stands: on a list, or in an answer beside a list without it', async () => {
  const order = { authority: ROOT, number: 1, thisUpdate: NOW - DAY, nextUpdate: NOW + DAY };
  const listed = issueCrl({ ...order, revoked: [{ serialNumber: serial('leaf'), at: NOW - HOUR }] }).pem;
  const onList = await asking({}, {}, [listed]);
  expect(onList.look().revocation).toMatchObject({ status: 'revoked' });
  expect(onList.responder.questions()).toBe(0);
  const empty = issueCrl({ ...order, revoked: [] }).pem;
  const beside = await asking({ says: 'revoked' }, {}, [empty]);
  expect(beside.look().revocation).toEqual({ status: 'good', ocsp: 'asking' });
  expect((await beside.settled()).revocation).toMatchObject({ status: 'revoked', ocsp: 'revoked' });
});

it('an answer signed by a responder that the issuer revoked does not count', async () => {
  const order = { authority: ROOT, number: 1, thisUpdate: NOW - DAY, nextUpdate: NOW + DAY };
  const { signer } = BEHAVIOURS['good, by a responder of the issuer'][0];
  const partial = issueCrl({ ...order, revoked: [{ serialNumber: serial('delegate'), at: NOW - HOUR }] }).pem;
  const { settled } = await asking({ signer }, {}, [partial]);
  expect((await settled()).revocation.ocsp).toBe('wrong-signer');
});
