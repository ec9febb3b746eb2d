import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type IssuingAuthority, renderTrustList, type TrustSnapshot } from '../../src/certificate/index.js';
import { officialSigners, readList, type Signers, takeLists } from '../../src/trust/index.js';
import { NOW } from '../builders.js';
import { anAuthority, DAY, keys } from '../certificate/made.js';
import { aListOfLists, aNationalList, signed, signer } from './made-lists.js';

const COMMISSION = signer('Commission');
const SUCCESSOR = signer('Commission II');
const BELGIUM = signer('Operator BE');
const CZECHIA = signer('Operator CZ');
const STRANGER = signer('Stranger');
const CA = anAuthority('QWAC CA');

const POINTERS = [
  { country: 'BE', signers: [BELGIUM] },
  { country: 'CZ', signers: [CZECHIA] },
];
const LOTL = signed(aListOfLists([COMMISSION], POINTERS), COMMISSION);
const BE = signed(aNationalList([{ authority: CA }]), BELGIUM);
const CZ = signed(aNationalList([], { country: 'CZ' }), CZECHIA);

const signersOf = (...all: IssuingAuthority[]): Signers => ({
  fingerprints: all.map(({ der }) => hash('sha256', der, 'hex')),
  since: 0,
});

function take(
  files: Readonly<Record<string, string>>,
  before: TrustSnapshot | null = null,
  at = NOW,
  signers = signersOf(COMMISSION),
) {
  const found = Object.entries(files).map(([file, text]) => ({ file, read: readList(Buffer.from(text)) }));
  const { lists, snapshot } = takeLists(found, signers, at, before);
  return {
    states: Object.fromEntries(
      lists.map(({ file, state, why }) => [file, why === null ? state : `${state}: ${why}`]),
    ),
    inForce: snapshot?.lists.map(({ country, sequence }) => `${country} ${sequence}`) ?? null,
    snapshot,
  };
}

describe('of the lists that are found', () => {
  it('those whose signer the list of lists names are accepted', () => {
    expect(take({ 'be.xml': BE, 'cz.xml': CZ, 'eu.xml': LOTL })).toMatchObject({
      states: { 'be.xml': 'accepted', 'cz.xml': 'accepted', 'eu.xml': 'accepted' },
      inForce: ['BE 7', 'CZ 7'],
    });
  });

  it.each([
    [
      'signed by another country',
      signed(aNationalList([]), CZECHIA),
      'it is signed by Operator CZ, whom the list of lists does not name for BE',
    ],
    [
      'signed by anybody',
      signed(aNationalList([]), STRANGER),
      'it is signed by Stranger, whom the list of lists does not name for BE',
    ],
    [
      'signed by the signer of the list of lists',
      signed(aNationalList([]), COMMISSION),
      'it is signed by Commission, whom the list of lists does not name for BE',
    ],
    [
      'of a country without a list',
      signed(aNationalList([], { country: 'XX' }), BELGIUM),
      'no list of lists that is trusted names a list of XX',
    ],
    ['of tomorrow', signed(aNationalList([], { issued: 1 }), BELGIUM), 'it was issued on'],
    [
      'issued before its signer’s certificate',
      signed(aNationalList([], { issued: -500 }), BELGIUM),
      'the certificate of its signer was not valid',
    ],
    ['that cannot be read', BE.slice(0, 900), 'it is not well-formed XML'],
  ])('one %s is refused', (_, text, why) => {
    const { states, inForce } = take({ 'be.xml': text, 'eu.xml': LOTL });
    expect(states['be.xml']).toContain(`refused: ${why}`);
    expect(inForce).toEqual([]);
  });

  it('one past its next update is accepted, and it is said', () => {
    const late = signed(aNationalList([], { nextUpdate: -1 }), BELGIUM);
    expect(take({ 'be.xml': late, 'eu.xml': LOTL }).states['be.xml']).toMatch(
      /^accepted: it was due for an update on /,
    );
  });

  it('the newest of a country is used, whatever its name', () => {
    const newer = signed(aNationalList([], { sequence: 8 }), BELGIUM);
    expect(take({ 'a.xml': newer, 'b.xml': BE, 'c.xml': newer, 'eu.xml': LOTL })).toMatchObject({
      states: {
        'a.xml': 'accepted',
        'b.xml': 'accepted: a.xml is newer, and is used',
        'c.xml': 'accepted: a.xml is the same list, and is used',
      },
      inForce: ['BE 8'],
    });
  });
});

describe('the list of lists', () => {
  it('signed by anybody is refused, and with it all it names', () => {
    const forged = signed(aListOfLists([STRANGER], POINTERS), STRANGER);
    expect(take({ 'be.xml': BE, 'eu.xml': forged })).toMatchObject({
      states: {
        'be.xml': 'refused: no list of lists that is trusted names a list of BE',
        'eu.xml':
          'refused: it is signed by Stranger, whom neither the Official Journal nor an earlier edition names',
      },
      inForce: null,
    });
  });

  const pivot = signed(aListOfLists([SUCCESSOR], [], { sequence: 290, issued: -50 }), COMMISSION);
  const next = signed(aListOfLists([SUCCESSOR], POINTERS), SUCCESSOR);

  it('may be signed by whom a pivot names', () => {
    expect(take({ 'eu.xml': next }).states['eu.xml']).toMatch(/^refused/);
    expect(take({ 'eu.xml': next, 'z-pivot.xml': pivot }).states).toEqual({
      'eu.xml': 'accepted',
      'z-pivot.xml': 'accepted: eu.xml is newer, and is used',
    });
  });

  it('may not be signed by whom a pivot has left out', () => {
    const { states, snapshot } = take({ 'eu.xml': LOTL, 'pivot.xml': pivot });
    expect(states['eu.xml']).toMatch(/^refused/);
    expect(snapshot?.listOfLists.sequence).toBe(290);
  });

  it('does not learn signers from a pivot that is older than the notice', () => {
    const signers = { ...signersOf(COMMISSION), since: NOW - 20 * DAY };
    const old = signed(aListOfLists([STRANGER], [], { sequence: 290, issued: -50 }), COMMISSION);
    const forged = signed(aListOfLists([STRANGER], POINTERS), STRANGER);
    expect(take({ 'eu.xml': forged, 'old.xml': old }, null, NOW, signers).states).toMatchObject({
      'eu.xml': expect.stringMatching(/^refused/),
    });
    expect(take({ 'eu.xml': LOTL, 'old.xml': old }, null, NOW, signers).inForce).toEqual([]);
  });

  it.each([
    ['2016-01-01', 0],
    ['2018-01-01', 4],
    ['2019-08-20', 12],
    ['2020-01-15', 8],
    ['2026-05-01', 0],
  ])('has on %s as many signers as the notices in force name: %i', (date, count) => {
    expect(officialSigners(Date.parse(date)).fingerprints).toHaveLength(count);
  });
});

describe('beside a snapshot in force', () => {
  const before = take({ 'be.xml': BE, 'cz.xml': CZ, 'eu.xml': LOTL }).snapshot;
  const broken = CZ.replace('granted', 'x').slice(0, -3);

  it('the old list stays where the new one is refused or missing, and it is said', () => {
    const { states, inForce } = take({ 'cz.xml': broken, 'eu.xml': LOTL }, before, NOW + DAY);
    expect(inForce).toEqual(['BE 7', 'CZ 7']);
    expect(states['cz.xml']).toMatch(/^refused: .*; number 7 of .* stays in force$/);
  });

  it('an older list, or an older list of lists, is refused', () => {
    const old = signed(aNationalList([], { sequence: 6 }), BELGIUM);
    expect(take({ 'be.xml': old, 'eu.xml': LOTL }, before)).toMatchObject({
      states: { 'be.xml': expect.stringContaining('refused: number 7 is in force, and newer') },
      inForce: ['BE 7', 'CZ 7'],
    });
    const oldLotl = signed(aListOfLists([COMMISSION], POINTERS, { sequence: 299 }), COMMISSION);
    expect(take({ 'be.xml': BE, 'eu.xml': oldLotl }, before)).toMatchObject({
      states: { 'eu.xml': 'refused: edition 300 is in force, and newer' },
      inForce: null,
    });
  });

  it('a list of a country that is no longer named goes', () => {
    const fewer = signed(aListOfLists([COMMISSION], POINTERS.slice(0, 1), { sequence: 301 }), COMMISSION);
    expect(take({ 'eu.xml': fewer }, before).inForce).toEqual(['BE 7']);
  });

  it('one of a later day does not count', () => {
    expect(take({ 'be.xml': BE, 'eu.xml': LOTL }, before, NOW - DAY).inForce).toEqual(['BE 7']);
  });
});

it('a snapshot is the same text for the same lists', () => {
  const text = () => {
    const { snapshot } = take({ 'be.xml': BE, 'eu.xml': LOTL });
    const pem = keys('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return snapshot === null ? '' : renderTrustList(snapshot, pem);
  };
  expect(text()).toBe(text());
  expect(text()).toContain('"sandgate-trust-list"');
});
