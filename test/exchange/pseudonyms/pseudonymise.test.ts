/** Pseudonyms: nobody is to be recognised, and everything that is judged or compared stays what it was. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPseudonyms, type Exchange, pseudonymise } from '../../../src/exchange/index.js';
import { IBAN_LENGTHS, ibanOf, isIban } from '../../../src/spec/index.js';
import { anExchange } from '../../builders.js';
import { records } from '../arbitrary-record.js';

const pseudonyms = createPseudonyms(new Uint8Array(32).fill(3));
const again = createPseudonyms(new Uint8Array(32).fill(3));
const other = createPseudonyms(new Uint8Array(32).fill(4));

/** Of every country of the registry, letters and digits anywhere; none that looks like a pseudonym. */
const iban = fc
  .constantFrom(...Object.entries(IBAN_LENGTHS))
  .chain(([country, length]) =>
    fc
      .array(fc.constantFrom(...'0123456789ABCDEFGHJKLMNPQRSTUVWYZ'), {
        minLength: length - 4,
        maxLength: length - 4,
      })
      .map((chars) => ibanOf(country, chars.join(''))),
  )
  .filter((text) => !/^[9X]{3}/.test(text.slice(4)));

const shapeOf = (text: string) => text.replace(/\d/g, '0').replace(/[A-Z]/g, 'A');

describe('an IBAN', () => {
  it('becomes another valid one of the same country, in the same form, always the same', () => {
    fc.assert(
      fc.property(iban, (text) => {
        expect(isIban(text)).toBe(true);
        const made = pseudonyms.iban(text);
        expect(isIban(made)).toBe(true);
        expect(made).not.toBe(text);
        expect(made.slice(0, 2)).toBe(text.slice(0, 2));
        expect(shapeOf(made)).toBe(shapeOf(text));
        expect(pseudonyms.iban(made)).toBe(made);
        expect(again.iban(text)).toBe(made);
        expect(other.iban(text)).not.toBe(made);
      }),
      { numRuns: 500 },
    );
  });

  it('is another one than that of another account', () => {
    const made = Array.from({ length: 2_000 }, (_, n) =>
      pseudonyms.iban(ibanOf('BE', String(n).padStart(12, '0'))),
    );
    expect(new Set(made).size).toBe(2_000);
  });

  it('is found in any text, with blanks and in small letters, and nothing else is changed', () => {
    const text = fc.string({ unit: fc.constantFrom(...' .,/?=&"{}:-'), maxLength: 12 });
    const spelled = fc.tuple(iban, fc.constantFrom('plain', 'print', 'small')).map(([one, how]) => {
      const made = pseudonyms.iban(one);
      const spell = (bare: string) =>
        how === 'print' ? bare.replace(/(.{4})(?=.)/g, '$1 ') : how === 'small' ? bare.toLowerCase() : bare;
      return [spell(one), spell(made)] as const;
    });
    const glue = text.map((part) => (/^[^ ]/.test(part) && /[^ ]$/.test(part) ? part : `.${part}.`));
    fc.assert(
      fc.property(fc.array(fc.tuple(spelled, glue), { maxLength: 4 }), glue, (pieces, end) => {
        const before = pieces.map(([[clear], part]) => part + clear).join('') + end;
        const after = pieces.map(([[, made], part]) => part + made).join('') + end;
        expect(pseudonyms.ibansIn(before)).toBe(after);
        expect(pseudonyms.ibansIn(after)).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a link', 'https://bank.example/v1/accounts/BE68539007547034?x=1'],
    ['a percent-encoded link', 'https%3A%2F%2Fbank.example%2Faccounts%2FBE68539007547034'],
  ])('is found in %s', (_, text) => {
    expect(pseudonyms.ibansIn(text)).toBe(
      text.replace('BE68539007547034', pseudonyms.iban('BE68539007547034')),
    );
  });

  it.each([
    'BE68539007547035',
    '0BE68539007547034',
    'BE68539007547034A',
    'XX68539007547034',
    'ab12cd34-0000',
  ])('is not seen in %s', (text) => {
    expect(pseudonyms.ibansIn(text)).toBe(text);
  });

  it('stays masked where the bank masked it, and never looks as if it had been', () => {
    expect(pseudonyms.iban('BE68XXXXXXXX7034')).toContain('XXXX');
    expect(pseudonyms.iban('BE68 **** **** 7034')).toContain('**** ****');
    for (let n = 0; n < 100; n++)
      expect(pseudonyms.iban(ibanOf('NL', `ABNA${String(n).padStart(10, '0')}`))).not.toContain('XXXX');
  });

  it('that is none stays none, and is hidden where an IBAN was meant', () => {
    const wrong = fc.oneof(
      iban.map(
        (text) =>
          text.slice(0, 2) + String((Number(text.slice(2, 4)) % 97) + 1).padStart(2, '0') + text.slice(4),
      ),
      iban.map((text) => text.slice(0, -1)),
      fc.stringMatching(/^[0-8A-W][0-9A-Z]{6,20}$/).filter((text) => !/^[A-Z]{2}\d{2}[9X]{3}/.test(text)),
    );
    fc.assert(
      fc.property(wrong, (text) => {
        fc.pre(!isIban(text));
        const made = pseudonyms.iban(text);
        expect([isIban(made), made === text, made.length]).toEqual([false, false, text.length]);
        expect(pseudonyms.iban(made)).toBe(made);
      }),
      { numRuns: 500 },
    );
  });
});

describe('names, texts and numbers', () => {
  it('become placeholders, the same for the same, that stay as they are', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200 }),
        fc.constantFrom('name', 'text'),
        (value, kind) => {
          const make = pseudonyms[kind as 'name' | 'text'];
          const made = make(value);
          expect(made).toMatch(kind === 'name' ? /^Name [0-9A-Z]{8}\.*$/ : /^Text [0-9A-Z]{8}\.*$/);
          expect([make(value), make(made)]).toEqual([made, made]);
          // A rule on lengths says the same of both.
          for (const limit of [35, 70, 140]) expect(made.length > limit).toBe(value.length > limit);
        },
      ),
    );
    expect(pseudonyms.name('')).toBe('');
  });

  it('keep their punctuation', () => {
    expect(pseudonyms.number('+32 470 12 34 56')).toMatch(/^\+99 9\d\d \d\d \d\d \d\d$/);
    expect(pseudonyms.number('****1234')).toMatch(/^\*{4}999\d$/);
    expect(pseudonyms.number(pseudonyms.number('4111111111111111'))).toBe(
      pseudonyms.number('4111111111111111'),
    );
  });
});

const PAYMENT = {
  debtorAccount: { iban: 'BE68539007547034', currency: 'EUR' },
  creditorAccount: { iban: 'FR7630006000011234567890189' },
  creditorName: 'Wilhelmina van der Berg-Söderström',
  creditorAddress: { street: 'Rue du Moulin', buildingNumber: '12', country: 'BE' },
  remittanceInformationUnstructured: 'Rent for Marie, BE68 5390 0754 7034',
  remittanceInformationStructured: { reference: 'RF18539007547034', referenceType: 'SCOR' },
  endToEndIdentification: 'E2E-1',
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  pan: 4111111111111111,
};
const PERSONAL = [
  'BE68539007547034',
  'BE68 5390 0754 7034',
  'FR7630006000011234567890189',
  'Wilhelmina',
  'Moulin',
  'Marie',
  'RF18539007547034',
  '4111111111111111',
];

function expectNobodyIn(value: unknown): void {
  const text = JSON.stringify(value);
  for (const clear of PERSONAL) expect([clear, text.includes(clear)]).toEqual([clear, false]);
}

const made = (exchange: Exchange) => pseudonymise(exchange, pseudonyms).exchange;

describe('an exchange', () => {
  it('holds nobody in its bodies, headers and links, and all else as it was', () => {
    const exchange = anExchange({
      call: { operation: 'payments.create', body: PAYMENT, headers: { 'PSU-ID': 'Wilhelmina' } },
      answer: {
        status: 201,
        headers: { Location: 'https://bank.example/accounts/BE68539007547034' },
        body: {
          ownerName: 'Marie',
          transactions: {
            booked: [{ debtorName: 'Marie', remittanceInformationUnstructuredArray: ['Marie', 'Marie'] }],
          },
        },
      },
    });
    const { call, answer } = made(exchange);
    expectNobodyIn({ call, answer });
    const body = JSON.parse(call.request.body?.text ?? '');
    expect(body).toMatchObject({
      debtorAccount: { iban: pseudonyms.iban('BE68539007547034'), currency: 'EUR' },
      creditorAddress: { country: 'BE' },
      remittanceInformationStructured: { referenceType: 'SCOR' },
      endToEndIdentification: 'E2E-1',
      instructedAmount: PAYMENT.instructedAmount,
      pan: expect.any(Number),
    });
    expect(call.content).toEqual({ kind: 'json', value: body });
    expect(call.header['psu-id']).toBe(pseudonyms.name('Wilhelmina'));
    expect(answer?.header.location).toBe(
      `https://bank.example/accounts/${pseudonyms.iban('BE68539007547034')}`,
    );
    const said = JSON.parse(answer?.body?.text ?? '');
    expect(said.transactions.booked[0].debtorName).toBe(said.ownerName);
  });

  it('may carry an account number in its path', () => {
    const exchange = anExchange({
      call: { operation: 'accounts.read', params: { accountId: 'BE68539007547034' } },
    });
    const { call } = made(exchange);
    expectNobodyIn(call);
    expect(call.params.accountId).toBe(pseudonyms.iban('BE68539007547034'));
    expect(call.request.path).toContain(call.params.accountId);
  });

  it('may have been cut off in the middle', () => {
    const whole = JSON.stringify(PAYMENT);
    for (let length = 1; length < whole.length; length++) {
      const body = { text: whole.slice(0, length), size: whole.length, truncated: true as const };
      const exchange = anExchange({ call: { operation: 'payments.create', body: '{}' } });
      const { target, headers } = exchange.call.request;
      const request = exchange.call.request.with(target, headers, body);
      const cut = { ...exchange, call: exchange.call.sending(request) };
      // Half an account number is the one thing that cannot be told from other digits.
      const text = made(cut).call.request.body?.text ?? '';
      for (const clear of ['Wilhelmina', 'Moulin', 'Marie', 'RF18539007547034'])
        expect(text).not.toContain(clear);
      expect(made(made(cut))).toEqual(made(cut));
    }
  });

  it('may be a statement in another form, of which nothing is kept', () => {
    const camt = '<Ntry><Nm>Wilhelmina</Nm><IBAN>BE68539007547034</IBAN></Ntry>';
    const answer = (status: number, type: string) =>
      made(anExchange({ answer: { status, body: camt, headers: { 'Content-Type': type } } })).answer?.body
        ?.text;
    expect(answer(200, 'application/xml')).toMatch(/^Text \w{8}\.+$/);
    expect(answer(200, 'text/plain')).toHaveLength(camt.length);
    expect(answer(502, 'text/html')).toBe(
      camt.replace('BE68539007547034', pseudonyms.iban('BE68539007547034')),
    );
  });

  it('is swept out of what is said of it, even where that was cut', () => {
    const { pseudonymiseText } = pseudonymise(
      anExchange({ call: { operation: 'payments.create', body: PAYMENT } }),
      pseudonyms,
    );
    const name = pseudonyms.name(PAYMENT.creditorName);
    expect(pseudonymiseText(`got “${PAYMENT.creditorName}”, 34 characters`)).toBe(
      `got “${name}”, 34 characters`,
    );
    expect(pseudonymiseText('Wilhelmina van der B…')).toBe(`${name}…`);
    expect(pseudonymiseText('BE68539007547034')).toBe(pseudonyms.iban('BE68539007547034'));
  });

  it('is the same when it is done again', () => {
    fc.assert(
      fc.property(records, (given) => {
        for (const { exchange } of given) {
          const once = made(exchange);
          expect(made(once)).toEqual(once);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('without anybody in it is the same object', () => {
    const exchange = anExchange({
      call: { operation: 'consents.read' },
      answer: { body: { consentStatus: 'valid' } },
    });
    expect(made(exchange)).toBe(exchange);
  });
});

describe('an IBAN in another spelling', () => {
  const IBAN = 'BE71096123456769';
  const made = pseudonyms.iban(IBAN);
  const groups = (text: string, by: string) => text.replace(/(.{4})(?=.)/g, `$1${by}`);
  const kept = (parts: Parameters<typeof anExchange>[0]) =>
    JSON.stringify(pseudonymise(anExchange(parts), pseudonyms).exchange);

  it.each([
    ['blanks that are encoded', (text: string) => groups(text, '%20')],
    ['blanks that are encoded twice', (text: string) => groups(text, '%2520')],
    ['blanks as plus signs', (text: string) => groups(text, '+')],
    ['plus signs that are encoded', (text: string) => groups(text, '%2B')],
    ['an encoded letter', (text: string) => text.replace('B', '%42')],
    ['small letters', (text: string) => groups(text.toLowerCase(), '%20')],
    ['a percent sign before it', (text: string) => `100%${text}`],
  ])('with %s is found in a path, a query, a form, a header and a link', (_, spell) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const parts of [
      { call: { target: `/x/${spell(IBAN)}/y` } },
      { call: { target: `/x?a=b&account=${spell(IBAN)}&c=d` } },
      { call: { target: `/x?to=${encodeURIComponent(`https://y/?account=${spell(IBAN)}`)}` } },
      { call: { body: `account=${spell(IBAN)}&c=d`, headers: form } },
      { call: { headers: { Referer: `https://x/?a=${spell(IBAN)}` } } },
      { answer: { body: JSON.stringify({ href: `/x?a=${spell(IBAN)}` }) } },
    ]) {
      const text = kept(parts).replace(/%(?:25)*([2-7][0-9A-F])/gi, (_octet, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      const bare = text.replace(/[ +]|%2B|%20/g, '').toUpperCase();
      expect([bare.includes(IBAN), bare.includes(IBAN.slice(4))]).toEqual([false, false]);
    }
  });

  it('keeps its spelling', () => {
    const { call } = pseudonymise(
      anExchange({ call: { target: `/x?a=${groups(IBAN, '%20')}&b=${groups(IBAN, '+')}&c=%20d+e` } }),
      pseudonyms,
    ).exchange;
    expect(call.request.target).toBe(`/x?a=${groups(made, '%20')}&b=${groups(made, '+')}&c=%20d+e`);
  });

  it('is found as the name of a member, and the member keeps its value', () => {
    const { answer } = pseudonymise(
      anExchange({ answer: { body: `{"${IBAN}": {"${groups(IBAN, ' ')}": 1.0}, "a": [1]}` } }),
      pseudonyms,
    ).exchange;
    expect(answer?.body?.text).toBe(`{"${made}": {"${groups(made, ' ')}": 1.0}, "a": [1]}`);
  });

  it('is found by the name of its field, valid or not, as names are', () => {
    const target = '/x?iban=BE00+0961+2345+6769&ownerName=Jan%20Peeters&state=Jan';
    const { call } = pseudonymise(anExchange({ call: { target } }), pseudonyms).exchange;
    expect(call.request.target).not.toMatch(/2345|Peeters/);
    expect(call.request.target.endsWith('&state=Jan')).toBe(true);
    const { exchange: twice } = pseudonymise(
      anExchange({ call: { target: call.request.target } }),
      pseudonyms,
    );
    expect(twice.call.request.target).toBe(call.request.target);
  });
});

it('The scope of a call gets the pseudonym that its id gets in addresses', () => {
  const account = ibanOf('BE', '001234567890');
  const target = `/stdgroup/v1/consents/${account}`;
  const { exchange } = pseudonymise(
    { ...anExchange({ call: { target } }), scope: `AIS:${account}` },
    pseudonyms,
  );
  expect(exchange.scope).toBe(`AIS:${pseudonyms.iban(account)}`);
  expect(exchange.call.request.target).toBe(`/stdgroup/v1/consents/${pseudonyms.iban(account)}`);
});
