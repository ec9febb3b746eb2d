/** What becomes of a call for whose certificate a responder was asked, where no call may pass without its answer. */
import { expect, it } from 'vitest';
import type { CertificateFacts } from '../../src/certificate/index.js';
import type { Claimed } from '../../src/gateway/forwarded-peers.js';
import { createInsist } from '../../src/gateway/insist.js';
import { aCertificate } from '../builders.js';

const connection = { address: '192.0.2.1', tls: null };
const caller = (certificate: Claimed['peer']['certificate']): Claimed => ({
  peer: { connection, certificate },
  headers: [],
  problem: null,
});
const said = (ocsp: NonNullable<CertificateFacts['revocation']['ocsp']>) =>
  aCertificate({ revocation: { status: ocsp === 'good' ? 'good' : 'not-checked', ocsp } });
const forever = () => new Promise<void>(() => {});
const noPatience = async () => {};

it('a responder that hangs costs a call no more than its patience, and then it gets 503', async () => {
  const insist = createInsist({ answered: forever, patience: noPatience });
  const { problem } = await insist.settle(caller(said('asking')), () => caller(said('asking')));
  expect(problem).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
  expect(problem?.text).toContain('has not answered yet');
});

it('an answer that comes in time lets the call pass, with what was answered', async () => {
  let answer = () => {};
  const answered = () => new Promise<void>((resolve) => (answer = resolve));
  let now = said('asking');
  const insist = createInsist({ answered, patience: forever });
  const settling = insist.settle(caller(said('asking')), () => caller(now));
  now = said('good');
  answer();
  const settled = await settling;
  expect(settled.problem).toBeNull();
  expect(settled.peer.certificate).toBe(now);
});

it('the certificate of a seal is waited for as that of the connection is', async () => {
  const seals = [said('try-later')];
  const insist = createInsist({
    answered: () => undefined,
    patience: forever,
    sealOf: () => seals[0] ?? 'absent',
  });
  expect(insist.isSettled(caller(said('good')))).toBe(false);
  const { problem } = await insist.settle(caller(said('good')), () => caller(said('good')));
  expect(problem?.text).toContain('asks to be asked later');
  seals[0] = said('good');
  expect(insist.isSettled(caller(said('good')))).toBe(true);
});

const own = aCertificate();
it.each([
  ['no certificate', 'absent'],
  ['one that a list calls good', aCertificate({ revocation: { status: 'good', ocsp: 'asking' } })],
  ['one that is revoked', aCertificate({ revocation: { status: 'revoked', ocsp: 'revoked' } })],
  ['one of a stranger', { ...said('asking'), chain: { trusted: false, reason: '', path: [] } }],
  [
    'one that is an anchor itself',
    { ...own, revocation: { status: 'not-checked' }, chain: { ...own.chain, path: [] } },
  ],
] as const)('a call with %s does not wait', (_, certificate) => {
  const insist = createInsist({ answered: forever, patience: forever });
  expect(insist.isSettled(caller(certificate))).toBe(true);
});
