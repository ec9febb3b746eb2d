import { describe, expect, it } from 'vitest';
import {
  createTrust,
  openTrustList,
  renderTrustList,
  staleWords,
  type TrustSnapshot,
} from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { anAuthority, aQwac, DAY, factsOf, keys } from './made.js';

const CA = anAuthority('Listed CA');
const OTHER = anAuthority('Unlisted CA');
const { privateKey, publicKey } = keys('ed25519');
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PUBLIC = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const iso = (days: number) => new Date(NOW + days * DAY).toISOString();

type Period = TrustSnapshot['lists'][number]['services'][number]['periods'][number];
const period = (since: number, status: string, purposes: Period['purposes'] = ['web']): Period => ({
  since: iso(since),
  status,
  purposes,
});

function aSnapshot(periods: readonly Period[], nextUpdate = 30): TrustSnapshot {
  const edition = { sequence: 7, issued: iso(-10), nextUpdate: iso(nextUpdate), digest: 'ab' };
  const certificates = [Buffer.from(CA.der).toString('base64')];
  return {
    type: 'sandgate-trust-list',
    version: 1,
    madeAt: iso(-3),
    listOfLists: { country: 'EU', ...edition },
    lists: [
      {
        country: 'BE',
        ...edition,
        services: [{ provider: 'Test Trust', name: 'QWACs', certificates, periods: [...periods] }],
      },
    ],
  };
}

const open = (snapshot: TrustSnapshot) => openTrustList(renderTrustList(snapshot, KEY), 'lists.json', PUBLIC);
const trusting = (periods: readonly Period[], nextUpdate?: number) =>
  createTrust({ anchors: [], list: open(aSnapshot(periods, nextUpdate)) });
const chain = (periods: readonly Period[], at = NOW, leaf = aQwac({ authority: CA })) =>
  factsOf(leaf, trusting(periods), at).chain;
const SEAL = aQwac({ authority: CA, qualified: { compliance: true, types: ['eseal'] } });

describe('a CA of a trusted list', () => {
  it('is an anchor while it is granted, which the reason says with list, service and snapshot', () => {
    expect(chain([period(-100, 'granted')])).toEqual({
      trusted: true,
      path: ['CN=Listed CA, O=Test Trust Services, C=BE'],
      reason: expect.stringMatching(
        new RegExp(
          `^A chain leads to the trust anchor CN=Listed CA.*, granted for web site authentication since ${iso(-100).slice(0, 10)} by the trusted list of BE \\(service “QWACs” of Test Trust; snapshot [0-9a-f]{12} of ${iso(-3).slice(0, 10)}, 3 days old\\)\\.$`,
        ),
      ),
    });
  });

  it('that was withdrawn in between is one before, and none from then on', () => {
    const periods = [period(-5, 'withdrawn'), period(-100, 'granted')];
    expect(chain(periods, NOW - 6 * DAY).trusted).toBe(true);
    expect(chain(periods, NOW - 5 * DAY)).toMatchObject({
      trusted: false,
      reason: expect.stringMatching(
        /^Its CA CN=Listed CA.* is withdrawn for web site authentication since .* by the trusted list of BE/,
      ),
    });
    expect(chain(periods).trusted).toBe(false);
  });

  it.each([
    ['granted later', [period(5, 'granted')], 'not listed for web site authentication'],
    [
      'granted for seals alone',
      [period(-100, 'granted', ['eseal'])],
      'not listed for web site authentication',
    ],
    ['of another status', [period(-100, 'undersupervision')], 'undersupervision for web site authentication'],
  ] as const)('is none where it is %s', (_, periods, why) => {
    expect(chain(periods)).toMatchObject({ trusted: false, reason: expect.stringContaining(why) });
  });

  it.each([
    [['eseal'], true],
    [['web'], false],
    [['web', 'eseal'], true],
  ] as const)('granted for %s vouches for a seal: %s', (purposes, trusted) => {
    expect(chain([period(-100, 'granted', [...purposes])], NOW, SEAL).trusted).toBe(trusted);
  });

  it('says that its list is overdue', () => {
    const { reason } = factsOf(aQwac({ authority: CA }), trusting([period(-100, 'granted')], -1)).chain;
    expect(reason).toMatch(/This list was due for an update on \d{4}-\d\d-\d\d\.$/);
  });

  it('vouches for CAs below it, and a withdrawn one is no obstacle below a configured anchor', () => {
    const below = anAuthority('Issuing CA', { issuer: CA });
    expect(factsOf(aQwac({ authority: below }), trusting([period(-100, 'granted')])).chain.trusted).toBe(
      true,
    );
    const list = open(aSnapshot([period(-100, 'withdrawn')]));
    const trust = createTrust({ anchors: [CA.pem], list });
    expect(factsOf(aQwac({ authority: below }), trust).chain).toMatchObject({
      trusted: true,
      reason: expect.not.stringContaining('list'),
    });
  });

  it('leaves others untrusted', () => {
    expect(factsOf(aQwac({ authority: OTHER }), trusting([period(-100, 'granted')])).chain).toMatchObject({
      trusted: false,
      reason: 'The chain ends at CN=Unlisted CA, O=Test Trust Services, C=BE, which is not a trust anchor.',
    });
  });
});

describe('a snapshot', () => {
  const text = renderTrustList(aSnapshot([period(-100, 'granted')]), KEY);

  it.each([
    ['by its status', text.replace('"granted"', '"withdrawn"'), KEY],
    ['by its signature', text.replace(/("signature": ").../, '$1AAA'), KEY],
    [
      'by another key',
      text,
      keys('ec-p256', 'other').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ],
  ])('that was changed %s is refused', (_, changed, key) => {
    expect(() => openTrustList(changed, 'lists.json', key)).toThrow('lists.json is not as it was signed');
  });

  it.each([
    ['no JSON', '{'],
    ['without a signature', '{}'],
    ['of another kind', JSON.stringify({ signature: '' })],
  ])('that is %s is refused', (_, broken) => {
    expect(() => openTrustList(broken, 'lists.json', PUBLIC)).toThrow(/lists\.json is not/);
  });

  it('signed by each kind of key opens with its public half', () => {
    for (const kind of ['rsa-2048', 'ec-p256', 'ed25519'] as const) {
      const pair = keys(kind);
      const signed = renderTrustList(
        aSnapshot([]),
        pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      );
      const opened = openTrustList(
        signed,
        'x',
        pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      );
      expect(opened.digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('names the lists that are overdue', () => {
    expect(staleWords(open(aSnapshot([])), NOW)).toBeNull();
    expect(staleWords(open(aSnapshot([], -1)), NOW)).toMatch(
      /^These trusted lists were due for an update: EU \(.*\), BE \(.*\)\.$/,
    );
  });
});
