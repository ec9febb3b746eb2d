import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_LIST_BYTES, readList } from '../../src/trust/index.js';
import { anAuthority } from '../certificate/made.js';
import { aListOfLists, aNationalList, signed, signer } from './made-lists.js';

const OPERATOR = signer('List Operator');
const CA = anAuthority('QWAC CA');
const PLAIN = aNationalList([{ authority: CA }]);
const SIGNED = signed(PLAIN, OPERATOR);
const read = (text: string) => readList(Buffer.from(text));
const ROOT_END = '</TrustServiceStatusList>';

describe('a trusted list is read', () => {
  it.each([
    ['version 5', SIGNED],
    ['version 6', signed(aNationalList([{ authority: CA }], { version: '6' }), OPERATOR)],
    ['with a byte order mark', `\ufeff${SIGNED}`],
    ['whose reference names the root by its id', signed(PLAIN, OPERATOR, { byId: true })],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({
      country: 'BE',
      sequence: 7,
      isListOfLists: false,
      services: [
        {
          provider: 'Test Trust Services',
          name: 'Test QWACs',
          certificates: [Buffer.from(CA.der).toString('base64')],
          periods: [{ status: 'granted', purposes: ['web'] }],
        },
      ],
    });
  });

  it('with the services that issue for web sites or seals, now or before, and no others', () => {
    const list = aNationalList([
      { authority: CA, name: 'seals', periods: [['granted', -9, ['ForeSeals', 'ForeSignatures']]] },
      { authority: CA, name: 'signatures', periods: [['granted', -9, ['ForeSignatures']]] },
      { authority: CA, name: 'stamps', type: 'TSA/QTST' },
      {
        authority: CA,
        name: 'withdrawn',
        periods: [
          ['withdrawn', -9, []],
          ['granted', -900, ['QCForWSA']],
        ],
      },
    ]);
    const found = read(signed(list, OPERATOR));
    expect(
      'why' in found
        ? found
        : found.services.map(({ name, periods }) => [
            name,
            periods.map(({ status, purposes }) => [status, ...purposes]),
          ]),
    ).toEqual([
      ['seals', [['granted', 'eseal']]],
      ['withdrawn', [['withdrawn'], ['granted', 'web']]],
    ]);
  });

  it('and the list of lists with what it points to, and its pivots', () => {
    const uris = ['https://lists.example/eu-lotl-pivot-290.xml', 'https://eur-lex.europa.eu/notice'];
    const text = aListOfLists([OPERATOR], [{ country: 'BE', signers: [CA] }], { uris });
    expect(read(signed(text, OPERATOR))).toMatchObject({
      isListOfLists: true,
      country: 'EU',
      pivots: [uris[0]],
      pointers: [
        { country: 'EU', isListOfLists: true },
        { country: 'BE', isListOfLists: false, url: 'https://lists.example/BE.xml' },
      ],
    });
  });
});

/** The signed list as an inner element of another one, which nobody signed. */
const wrapped = (): string => {
  const [head = '', inner = ''] = SIGNED.split('?>\n');
  return `${head}?>\n${aNationalList([{ authority: signer('Forged CA') }])
    .split('?>\n')[1]
    ?.replace('Id="list"', 'Id="other"')
    .replace(ROOT_END, `${inner}${ROOT_END}`)}`;
};
/** The signature of one list in another. */
const transplanted = (): string =>
  aNationalList([{ authority: signer('Forged CA') }]).replace(
    ROOT_END,
    `${/<ds:Signature .*<\/ds:Signature>/s.exec(SIGNED)?.[0]}${ROOT_END}`,
  );

describe('a list is refused, with the reason,', () => {
  it.each([
    ['empty', '', 'it is empty'],
    ['cut short', SIGNED.slice(0, -40), 'it is not well-formed XML'],
    ['no XML', 'Not found', 'it is not well-formed XML'],
    ['another document', signed('<a Id="x"><b/></a>', OPERATOR), 'it is no trusted list'],
    ['without a signature', PLAIN, 'it is not signed'],
    ['with two signatures', signed(SIGNED, signer('Second')), 'it has 2 signatures, and one is expected'],
    ['changed', SIGNED.replace('Test QWACs', 'Best QWACs'), 'it was changed after it was signed'],
    [
      'with an attribute changed',
      SIGNED.replace('TSLTag="http', 'TSLTag="https'),
      'it was changed after it was signed',
    ],
    [
      'with another signature value',
      SIGNED.replace(/(<ds:SignatureValue>)..../, '$1AAAA'),
      'its signature does not hold',
    ],
    ['wrapped in another list', wrapped(), 'its signature is not directly below the root element'],
    ['with the signature of another list', transplanted(), 'it was changed after it was signed'],
    [
      'signed over a part of it',
      signed(PLAIN, OPERATOR, {
        covers: "//*[local-name()='SchemeInformation']",
        byId: true,
        transforms: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
      }),
      'its signature does not cover the whole document',
    ],
    [
      'without signed properties',
      signed(PLAIN, OPERATOR, { isBare: true }),
      'its signature has 1 references',
    ],
    [
      'whose signed properties name another certificate',
      signed(PLAIN, OPERATOR, { names: CA }),
      'its signature does not name its certificate',
    ],
    ['of version 4', signed(aNationalList([], { version: '4' }), OPERATOR), 'its version is 4, not 5 or 6'],
    [
      'with a country of three letters',
      signed(aNationalList([], { country: 'BEL' }), OPERATOR),
      'its country, number or date of issue',
    ],
    [
      'with a document type',
      SIGNED.replace('?>', '?><!DOCTYPE a [<!ENTITY x "y">]>'),
      'a document type declaration is not taken',
    ],
    [
      'nested without end',
      `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
      'it is nested more than 50 deep',
    ],
    ['of a million elements', `<r>${'<a/>'.repeat(1_000_000)}</r>`, 'it has more than 300000 elements'],
    [
      'with a tag of a million attributes',
      `<a ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}=""`).join(' ')}/>`,
      'a tag is longer than 4096 characters',
    ],
    [
      'nested where a bracket stands in a value',
      `${'<a b="/>">'.repeat(51)}`,
      'it is nested more than 50 deep',
    ],
    ['in UTF-16', Buffer.from(SIGNED, 'utf16le').toString('latin1'), 'it is nested'],
  ])('%s', (_, text, why) => {
    expect(read(text)).toMatchObject({ why: expect.stringContaining(why) });
  });

  it('larger than any real one, without being read', () => {
    expect(readList(Buffer.alloc(MOST_LIST_BYTES + 1))).toEqual({
      why: 'it is larger than 16 MiB',
      country: null,
    });
  });

  it('with the country that it claims', () => {
    expect(read(PLAIN)).toEqual({ why: 'it is not signed', country: 'BE' });
  });

  it('whatever one byte of it is made', () => {
    const bytes = Buffer.from(SIGNED);
    const before = readList(bytes);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        const found = readList(changed);
        // A change of what is not signed (blanks in a tag, the value of an unused id) gives the same list, never another one.
        if (!('why' in found))
          expect({ ...found, digest: '', signer: '' }).toEqual({ ...before, digest: '', signer: '' });
      }),
      { numRuns: 300 },
    );
  });

  it('or read, whatever bytes it is made of, without throwing', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => 'why' in readList(bytes)));
    const tags = fc.constantFrom(
      '<a>',
      '</a>',
      '<a/>',
      'x',
      '&amp;',
      '&x;',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?x?>',
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
      '</ds:Signature>',
    );
    fc.assert(fc.property(fc.array(tags, { maxLength: 30 }), (parts) => 'why' in read(parts.join(''))));
  });
});
