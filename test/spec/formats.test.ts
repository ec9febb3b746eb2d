/** The format predicates, by table and by property. */
import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  datesMeantBy,
  daysBetween,
  isAbsoluteHttpUri,
  isAmount,
  isBic,
  isCountry,
  isCurrency,
  isDate,
  isDateTimeWithOffset,
  isIban,
  isIpAddress,
  isNcaCode,
  isPositiveAmount,
  isReturnAddress,
  isSecureReturnAddress,
  isSepaText,
  isUuid,
  ncaCodeKind,
} from '../../src/spec/index.js';
import { codePoint } from '../code-points.js';

interface Table {
  readonly predicate: (text: string) => boolean;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

const TABLES: readonly Table[] = [
  {
    predicate: isDate,
    accepts: ['2026-11-21', '2024-02-29', '2000-02-29', '9999-12-31', '0001-01-01'],
    refuses: [
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-1-1',
      '21-11-2026',
      '2026-11-21T00:00:00Z',
      ' 2026-11-21',
      '2026-11-21\n',
      '+02026-11-21',
      '',
    ],
  },
  {
    predicate: isDateTimeWithOffset,
    accepts: [
      '2026-11-21T10:00:00Z',
      '2026-11-21T10:00:00.123+01:00',
      '2026-12-31T23:59:60Z',
      '2026-11-21t10:00:00z',
    ],
    refuses: [
      '2026-11-21T10:00:00',
      '2026-11-21 10:00:00Z',
      '2026-02-30T10:00:00Z',
      '2026-11-21T24:00:00Z',
      '2026-11-21T10:00Z',
      '2026-11-21T10:00:00+25:00',
      '2026-11-21',
      '',
    ],
  },
  {
    predicate: isUuid,
    accepts: [
      '11111111-1111-1111-1111-111111111111',
      '99391C7E-AD88-49EC-A2AD-99DDCB1F7721',
      '018f2b6a-7c1d-7e2f-9a3b-0123456789ab',
      '00000000-0000-0000-0000-000000000000',
    ],
    refuses: [
      '99391c7ead8849eca2ad99ddcb1f7721',
      '{99391c7e-ad88-49ec-a2ad-99ddcb1f7721}',
      '99391c7e-ad88-49ec-a2ad-99ddcb1f772',
      'g9391c7e-ad88-49ec-a2ad-99ddcb1f7721',
      '11111111-1111-1111-1111-111111111111\n',
      '',
    ],
  },
  {
    predicate: isIpAddress,
    accepts: [
      '192.0.2.1',
      '0.0.0.0',
      '255.255.255.255',
      '::',
      '::1',
      '1::',
      '2001:db8::1',
      '::ffff:192.0.2.1',
      '1:2:3:4:5:6:192.0.2.1',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
    ],
    refuses: [
      '256.0.0.1',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.4.',
      '01.2.3.4',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      ':1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:',
      '::192.0.2.1:1',
      '192.0.2.1::',
      '::12345',
      'fe80::1%eth0',
      '192.0.2.1, 10.0.0.1',
      '192.0.2.1:443',
      'localhost',
      '',
    ],
  },
  {
    predicate: isIban,
    accepts: [
      'DE89370400440532013000',
      'BE68539007547034',
      'NL91ABNA0417164300',
      'FR1420041010050500013M02606',
      'GB29NWBK60161331926819',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
    ],
    refuses: [
      'DE89370400440532013001',
      'DE8937040044053201300',
      'DE89 3704 0044 0532 0130 00',
      'de89370400440532013000',
      'XX89370400440532013000',
      'BE00539007547034',
      'US64SVBKUS6S3300958879',
      '',
    ],
  },
  {
    predicate: isAmount,
    accepts: ['0', '1', '-1', '123.45', '0.001', '12345678901234', '-12345678901234.999', '007'],
    refuses: ['1,5', '1.', '.5', '+1', '1.2345', '123456789012345', '1e3', '1 000', 'NaN', ' 1', '', '1.5\n'],
  },
  {
    predicate: isPositiveAmount,
    accepts: ['0.001', '1', '99999999999999.999'],
    refuses: ['0', '0.000', '-1', '-0', '+1', '', 'NaN', '1,00'],
  },
  {
    predicate: isCurrency,
    accepts: ['EUR', 'USD', 'CHF', 'XOF'],
    refuses: ['eur', 'EURO', 'XXX', 'XAU', 'BGN', 'ABC', ''],
  },
  {
    predicate: isBic,
    accepts: ['NBBEBEBB', 'DEUTDEFF500', 'ABNANL2A'],
    refuses: ['NBBEBEB', 'nbbebebb', 'NBBEBE0B', 'NBBEBEBO', 'DEUTDEFF50', '1234DEFF', ''],
  },
  {
    predicate: isCountry,
    accepts: ['BE', 'NL', 'GB', 'XK'],
    refuses: ['be', 'UK', 'EU', 'ZZ', 'BEL', ''],
  },
  {
    predicate: isAbsoluteHttpUri,
    accepts: [
      'https://tpp.example/callback?x=1&y=%20#part',
      'http://localhost:9090',
      'HTTPS://TPP.EXAMPLE/',
      'http://[::1]:8080/cb',
    ],
    refuses: [
      '/callback',
      'tpp.example/callback',
      'ftp://tpp.example/',
      'http:tpp.example',
      'http:///callback',
      'https://',
      'https://tpp.example/a b',
      'https://tpp.example/{id}',
      'https://tpp.example/%zz',
      'https://tpp.example/\r\nX: 1',
      'https://tpp.example:99999/',
      'javascript:alert(1)',
      '',
    ],
  },
  {
    predicate: isReturnAddress,
    accepts: [
      'https://tpp.example/callback?x=1#part',
      'http://localhost:9090',
      'com.tpp.app://callback',
      'com.tpp.app:/callback?keep=1',
      'com.tpp.app:callback',
      'COM.TPP.APP://callback',
      'myapp://cb',
      'urn:ietf:wg:oauth:2.0:oob',
      'ms-app://s-1-15-2-1',
    ],
    refuses: [
      '/callback',
      'tpp.example/callback',
      'http:///callback',
      'http:tpp.example',
      'com.tpp.app:',
      'com.tpp.app://call back',
      'com.tpp.app://callback\r\nX: 1',
      '1app://callback',
      '://callback',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,hello',
      'vbscript:x',
      'blob:https://tpp.example/1',
      'file:///etc/passwd',
      'about:blank',
      '',
    ],
  },
  {
    predicate: isSecureReturnAddress,
    accepts: [
      'https://tpp.example/cb',
      'HTTPS://tpp.example/cb',
      'com.tpp.app://callback',
      'com.tpp.app:/callback',
      'http://localhost:3000/cb',
      'http://tpp.localhost/cb',
      'http://127.0.0.1:8080/cb',
      'http://127.1.2.3/cb',
      'http://[::1]:8080/cb',
    ],
    refuses: [
      'http://tpp.example/cb',
      'http://localhost.tpp.example/cb',
      'http://127.0.0.1.tpp.example/cb',
      'http://192.168.0.2/cb',
      'myapp://callback',
      'urn:ietf:wg:oauth:2.0:oob',
      'localhost:3000/cb',
      'tpp.example:8443/cb',
      'http:',
    ],
  },
  {
    predicate: isSepaText,
    accepts: ["Jean-Luc O'Neil (Ltd), No. 1/2: +32?", ''],
    refuses: ['Merchant & Co', 'Müller', 'a\nb', 'semi;colon', '€'],
  },
];

describe.each(TABLES.map((table) => [table.predicate.name, table] as const))('%s', (_, table) => {
  it('accepts and refuses what its table says', () => {
    expect(table.accepts.filter((text) => !table.predicate(text))).toEqual([]);
    expect(table.refuses.filter(table.predicate)).toEqual([]);
  });
  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: codePoint })), (text) => {
        expect(typeof table.predicate(text)).toBe('boolean');
      }),
    );
  });
});

describe('properties', () => {
  const date = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((value) => value.toISOString().slice(0, 10));

  it('every calendar day is a date', () => {
    fc.assert(fc.property(date, (text) => isDate(text)));
  });

  it.each([
    ['25/12/2026', ['2026-12-25']],
    ['12-25-2026', ['2026-12-25']],
    ['1.10.2026', ['2026-10-01']],
    ['01/10/2026', ['2026-01-10', '2026-10-01']],
    ['10/10/2026', ['2026-10-10']],
    ['31/02/2026', []],
    ['25/12-2026', []],
    ['2026-12-25', []],
  ])('%s may mean %j', (text, dates) => {
    expect(datesMeantBy(text)).toEqual(dates);
  });

  it('days add up', () => {
    fc.assert(
      fc.property(date, date, date, (a, b, c) => {
        expect(daysBetween(a, b) + daysBetween(b, c)).toBe(daysBetween(a, c));
      }),
    );
    expect(daysBetween('2026-11-21', '2027-02-19')).toBe(90);
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2026-11-21', '2026-11-20')).toBe(-1);
    expect(daysBetween('2026-02-30', '2026-11-20')).toBeNaN();
  });

  it('addresses are those that the platform takes, zones apart', () => {
    const likely = fc.string({ unit: fc.constantFrom(...'01239afF:.'), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), likely), (text) => {
        expect(isIpAddress(text)).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('a single changed digit breaks an IBAN', () => {
    const iban = 'DE89370400440532013000';
    fc.assert(
      fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (at, add) => {
        const digit = (Number(iban[at]) + add) % 10;
        expect(isIban(iban.slice(0, at) + digit + iban.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('amounts of cents are amounts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (cents) => {
        expect(isPositiveAmount((cents / 100).toFixed(2))).toBe(true);
      }),
    );
  });
});

describe('authorities', () => {
  it.each([
    ['NL', 'DNB', 'published'],
    ['DE', 'BAFIN', 'published'],
    ['ES', 'BDE', 'variant'],
    ['NL', 'SBX', 'test'],
    ['NL', 'BAFIN', undefined],
    ['nl', 'dnb', undefined],
    ['__proto__', '', undefined],
  ] as const)('%s-%s is %s', (country, authority, kind) => {
    expect(ncaCodeKind(country, authority)).toBe(kind);
    expect(isNcaCode(country, authority)).toBe(kind === 'published' || kind === 'variant');
  });
});
