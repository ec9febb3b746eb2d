import { describe, expect, it } from 'vitest';
import { HOUR, NOON } from '../../bank/a-bank.js';
import { type CallParts, OTHER_TPP } from '../../builders.js';
import { errorOf, jsonOf } from '../an-emulator.js';
import { aLivingBank, certificateOf, type LivingBankUnderTest } from './a-living-bank.js';

const BODY = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  debtorAccount: { iban: 'BE68539007547034' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
  remittanceInformationUnstructured: 'Invoice 1',
};
const HEADERS = { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb' };

interface Given {
  readonly body?: object;
  readonly product?: string;
  readonly headers?: Record<string, string>;
}

function create(bank: LivingBankUnderTest, { body = {}, product, headers = {} }: Given = {}) {
  return bank.ask({
    operation: 'payments.create',
    ...(product === undefined ? {} : { params: { paymentProduct: product } }),
    headers: { ...HEADERS, ...headers },
    body: { ...BODY, ...body },
  });
}

/** A payment that was created, and what can be done with it. */
function created(bank: LivingBankUnderTest, given: Given = {}) {
  const answer = create(bank, given);
  const { paymentId, _links } = jsonOf(answer);
  const params = { paymentId, ...(given.product === undefined ? {} : { paymentProduct: given.product }) };
  const on = (operation: NonNullable<CallParts['operation']>, more: Record<string, string> = {}) =>
    bank.ask({ operation, params: { ...params, ...more } });
  return {
    answer,
    paymentId,
    on,
    authorisation: _links.scaStatus?.href.split('/').at(-1) as string,
    status: () => jsonOf(on('payments.status')).transactionStatus,
  };
}

describe('a payment that is initiated', () => {
  it('gets an id of its own, and an authorisation with it', () => {
    const bank = aLivingBank();
    const { answer, paymentId, authorisation, on } = created(bank);
    expect(answer.status).toBe(201);
    const self = `https://localhost:8443/stdgroup/v1/payments/sepa-credit-transfers/${paymentId}`;
    expect(jsonOf(answer)).toEqual({
      transactionStatus: 'RCVD',
      paymentId,
      _links: {
        scaOAuth: { href: expect.stringContaining(authorisation) },
        scaStatus: { href: `${self}/authorisations/${authorisation}` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    });
    expect(answer.header).toMatchObject({ location: self, 'aspsp-sca-approach': 'REDIRECT' });
    expect(jsonOf(on('payments.authorisations.list'))).toEqual({ authorisationIds: [authorisation] });
    const read = on('payments.authorisations.read', { authorisationId: authorisation });
    expect(jsonOf(read)).toEqual({ scaStatus: 'received' });
    expect(bank.findings).toEqual([]);
  });

  it('is read as it was posted', () => {
    const bank = aLivingBank();
    const body = { endToEndIdentification: 'E2E-7', purposeCode: 'SALA' };
    const { on } = created(bank, { body });
    expect(jsonOf(on('payments.read'))).toEqual({ ...BODY, ...body, transactionStatus: 'RCVD' });
  });

  it('is read without the members that were null: the standard has none that may be', () => {
    const bank = aLivingBank();
    const address = { country: 'NL', townName: null };
    const { on } = created(bank, { body: { creditorAddress: address, chargeBearer: null } });
    expect(jsonOf(on('payments.read'))).toEqual({
      ...BODY,
      creditorAddress: { country: 'NL' },
      transactionStatus: 'RCVD',
    });
  });

  it.each([
    ['400 RESOURCE_UNKNOWN', { debtorAccount: { iban: 'DE89370400440532013000' } }],
    ['400 RESOURCE_UNKNOWN', { debtorAccount: { iban: 'BE91096123456700' } }],
    ['400 RESOURCE_UNKNOWN', { creditorAccount: { iban: 'BE14983120441783' } }],
    ['400 FORMAT_ERROR', { instructedAmount: { currency: 'EUR', amount: '1.001' } }],
    ['400 PAYMENT_FAILED', { creditorAccount: BODY.debtorAccount }],
    ['400 EXECUTION_DATE_INVALID', { requestedExecutionDate: '2026-02-27' }],
    ['400 FORMAT_ERROR', { remittanceInformationUnstructured: 'x'.repeat(20_000) }],
    ['400 FORMAT_ERROR', { remittanceInformationUnstructured: 'x'.repeat(141) }],
    ['400 FORMAT_ERROR', { creditorName: 'x'.repeat(71) }],
    ['400 FORMAT_ERROR', { endToEndIdentification: 'x'.repeat(36) }],
    ['400 FORMAT_ERROR', { creditorAgent: 'Commerzbank' }],
    ['400 FORMAT_ERROR', { purposeCode: 'salary' }],
    ['400 FORMAT_ERROR', { creditorAccount: { iban: 'de89 3704 0044 0532 0130 00' } }],
    ['400 FORMAT_ERROR', { remittanceInformationStructured: { reference: 5 } }],
    ['400 FORMAT_ERROR', { ultimateDebtor: { name: 'Anna' } }],
    ['400 RESOURCE_UNKNOWN', { debtorAccount: { iban: 'BE68539007547034', currency: 'USD' } }],
    ['400 RESOURCE_UNKNOWN', { creditorAccount: { iban: 'BE71096123456769', currency: 'EUR' } }],
  ] as const)('is refused with %s where the bank cannot take it', (error, body) => {
    expect(errorOf(create(aLivingBank(), { body }))).toBe(error);
  });

  it('is taken in any currency that the bank exchanges, across borders, under either spelling of the product', () => {
    const bank = aLivingBank();
    const body = { instructedAmount: { currency: 'JPY', amount: '1600' } };
    const { on } = created(bank, { body, product: 'cross-border-payments' });
    expect(on('payments.read', { paymentProduct: 'cross-border-credit-transfers' }).status).toBe(200);
    expect(errorOf(on('payments.read', { paymentProduct: 'sepa-credit-transfers' }))).toBe(
      '403 RESOURCE_UNKNOWN',
    );
    const unknown = { instructedAmount: { currency: 'XPF', amount: '1600' } };
    expect(errorOf(create(aLivingBank(), { body: unknown, product: 'cross-border-payments' }))).toBe(
      '400 PAYMENT_FAILED',
    );
  });

  it('can be authorised for 20 minutes by its link, and is RJCT a day later', () => {
    const bank = aLivingBank();
    const { authorisation, on, paymentId } = created(bank);
    bank.now += 20 * 60_000;
    expect(bank.sca(authorisation, 'psu-1')).toBe('LOGIN_TIMEOUT');
    const read = on('payments.authorisations.read', { authorisationId: authorisation });
    expect(jsonOf(read)).toEqual({ scaStatus: 'failed' });
    expect(jsonOf(on('payments.status'))).toEqual({ transactionStatus: 'RCVD' });
    bank.now += 24 * HOUR;
    expect(jsonOf(on('payments.status'))).toEqual({
      transactionStatus: 'RJCT',
      psuMessage: 'The PSU did not authorise the payment (MS02).',
    });
    expect(bank.books.state.bankPayments.get(paymentId)?.execution).toBeNull();
    expect(bank.findings).toEqual([]);
  });

  it('is nobody else’s', () => {
    const bank = aLivingBank();
    const { paymentId } = created(bank);
    const certificate = certificateOf(OTHER_TPP);
    for (const operation of ['payments.read', 'payments.status', 'payments.cancel'] as const)
      expect(errorOf(bank.ask({ operation, params: { paymentId }, certificate }))).toBe(
        '403 RESOURCE_UNKNOWN',
      );
  });
});

describe('a payment in another currency than the account of the debtor', () => {
  /** From an account in USD to one in EUR. */
  const across = (currency: string, amount: string): Given => ({
    product: 'cross-border-payments',
    body: {
      instructedAmount: { currency, amount },
      debtorAccount: { iban: 'BE71096123456769' },
      creditorAccount: { iban: 'BE88063999999540' },
    },
  });
  const executionOf = (currency: string, amount: string) => {
    const bank = aLivingBank();
    const { authorisation, paymentId, status } = created(bank, across(currency, amount));
    expect(bank.sca(authorisation, 'psu-1')).toBe('SCA_OK');
    bank.now += HOUR;
    expect(status()).toBe('ACSC');
    return bank.books.state.bankPayments.get(paymentId)?.execution;
  };

  it.each([
    ['debited', 'INR', '0.42'],
    ['credited', 'USD', '0.01'],
    ['credited', 'INR', '0.46'],
  ])('is refused where nothing would be %s', (side, currency, amount) => {
    const answer = create(aLivingBank(), across(currency, amount));
    expect(errorOf(answer)).toBe('400 PAYMENT_FAILED');
    expect(jsonOf(answer).tppMessages[0].text).toContain(`nothing would be ${side}`);
  });

  it('brings the creditor no more than was debited', () => {
    expect(executionOf('USD', '0.02')).toMatchObject({ debited: 2, credited: 1 });
    expect(executionOf('INR', '100.00')).toMatchObject({ debited: 119, credited: 110 });
  });

  it('brings the creditor the instructed amount where that is in the currency of its account', () => {
    expect(executionOf('EUR', '100.00')).toMatchObject({ debited: 10_800, credited: 10_000 });
    expect(executionOf('EUR', '12.31')).toMatchObject({ debited: 1330, credited: 1231 });
  });
});

describe('a payment that the PSU authorises', () => {
  it('goes through ACTC and ACSP to ACSC, at its time', () => {
    const bank = aLivingBank();
    const { authorisation, status, on } = created(bank);
    expect(status()).toBe('RCVD');
    expect(bank.sca(authorisation, 'psu-1')).toBe('SCA_OK');
    expect(jsonOf(on('payments.authorisations.read', { authorisationId: authorisation }))).toEqual({
      scaStatus: 'finalised',
    });
    const seen = [0, HOUR, 2 * HOUR, 3 * HOUR].map((later) => {
      bank.now = NOON + later;
      return status();
    });
    expect(seen).toEqual(['ACTC', 'ACTC', 'ACSP', 'ACSC']);
    expect(bank.findings).toEqual([]);
  });

  it('is rejected without funds, and says why', () => {
    const bank = aLivingBank();
    const body = { instructedAmount: { currency: 'EUR', amount: '999999.00' } };
    const { authorisation, on } = created(bank, { body });
    bank.sca(authorisation, 'psu-1');
    bank.now += 24 * HOUR;
    expect(jsonOf(on('payments.status'))).toEqual({
      transactionStatus: 'RJCT',
      psuMessage: 'Not enough money on the account of the debtor (AM04).',
    });
    expect(bank.findings).toEqual([]);
  });

  it('is decided once, by the first that looks, whatever it looks at', () => {
    const bank = aLivingBank();
    const { authorisation, paymentId } = created(bank, {
      body: { creditorAccount: { iban: 'BE88063999999540' } },
    });
    bank.sca(authorisation, 'psu-1');
    const executions = () => bank.books.state.bankPayments.get(paymentId)?.execution;
    expect(executions()).toBeNull();
    bank.ask({ operation: 'consents.status' });
    expect(executions()).toMatchObject({ at: NOON, outcome: 'booked' });
  });

  it('is rejected after an SCA that the PSU refused, or of a PSU who does not own the account', () => {
    const bank = aLivingBank();
    const refused = created(bank);
    bank.sca(refused.authorisation, 'psu-1', 'SCA_CANCEL');
    const strange = created(bank);
    expect(bank.sca(strange.authorisation, 'psu-2')).toBe('SCA_REQUEST_REJECTED');
    expect([refused.status(), strange.status()]).toEqual(['RJCT', 'RJCT']);
    expect(bank.findings).toEqual([]);
  });
});

describe('a payment whose authorisation the TPP starts', () => {
  const headers = { 'TPP-Explicit-Authorisation-Preferred': 'true' };

  it('is PATC until then, and takes no other once it is authorised', () => {
    const bank = aLivingBank();
    const { answer, on, status } = created(bank, { headers });
    expect(Object.keys(jsonOf(answer)._links)).toEqual(['startAuthorisation', 'self', 'status']);
    expect(status()).toBe('PATC');
    const started = on('payments.authorisations.create');
    expect(started.status).toBe(201);
    const { authorisationId } = jsonOf(started);
    expect(jsonOf(on('payments.authorisations.list')).authorisationIds).toEqual([authorisationId]);
    bank.sca(authorisationId, 'psu-1');
    expect(status()).toBe('ACTC');
    expect(bank.findings).toEqual([]);
    expect(errorOf(on('payments.authorisations.create'))).toBe('409 STATUS_INVALID');
  });

  it('stays authorised where another authorisation of it is walked afterwards', () => {
    const bank = aLivingBank();
    const { on, status } = created(bank, { headers });
    const [first, second, third] = [1, 2, 3].map(
      () => jsonOf(on('payments.authorisations.create')).authorisationId,
    );
    bank.sca(first, 'psu-1');
    expect(bank.sca(second, 'psu-1')).toBe('SCA_REQUEST_REJECTED');
    expect(bank.sca(third, 'psu-1', 'SCA_CANCEL')).toBe('SCA_CANCEL');
    expect(status()).toBe('ACTC');
  });

  it('gives its PSU back to where the creation said', () => {
    const bank = aLivingBank();
    const { on } = created(bank, { headers });
    const { authorisationId } = jsonOf(on('payments.authorisations.create'));
    expect(bank.books.state.bankAuthorisations.get(authorisationId)?.redirectUri).toBe(
      HEADERS['TPP-Redirect-URI'],
    );
  });
});

describe('a payment that is cancelled', () => {
  it('is CANC at once where the PSU has not authorised it', () => {
    const bank = aLivingBank();
    const { on, status } = created(bank);
    expect(on('payments.cancel').status).toBe(204);
    expect(status()).toBe('CANC');
    expect(bank.findings).toEqual([]);
    const again = on('payments.cancel');
    expect(errorOf(again)).toBe('405 CANCELLATION_INVALID');
    expect(again.header.allow).toBe('GET, HEAD');
  });

  it('waits for an authorisation of the cancellation where the PSU has authorised it', () => {
    const bank = aLivingBank();
    const { authorisation, on, status } = created(bank);
    bank.sca(authorisation, 'psu-1');
    const asked = on('payments.cancel');
    expect(asked.status).toBe(202);
    const { _links, ...rest } = jsonOf(asked);
    expect(rest).toEqual({ transactionStatus: 'ACTC', scaStatus: 'received' });
    const id = _links.scaStatus.href.split('/').at(-1);
    expect(_links.scaOAuth.href).toContain(id);
    expect(jsonOf(on('payments.cancel'))._links).toEqual(_links);
    expect(jsonOf(on('payments.cancellation-authorisations.list'))).toEqual({ authorisationIds: [id] });
    const read = () =>
      jsonOf(on('payments.cancellation-authorisations.read', { authorisationId: id })).scaStatus;
    expect(read()).toBe('received');
    expect(errorOf(on('payments.authorisations.read', { authorisationId: id }))).toBe('404 RESOURCE_UNKNOWN');
    expect(status()).toBe('ACTC');
    bank.sca(id, 'psu-1');
    expect([read(), status()]).toEqual(['finalised', 'CANC']);
    bank.now += 24 * HOUR;
    expect(status()).toBe('CANC');
    expect(bank.books.state.payments.bookedOn('acc-1')).toEqual([]);
    expect(bank.findings).toEqual([]);
  });

  it('goes on where the PSU refused the cancellation, which can be asked for anew', () => {
    const bank = aLivingBank();
    const { authorisation, on, status } = created(bank);
    bank.sca(authorisation, 'psu-1');
    const idOf = () => jsonOf(on('payments.cancel'))._links.scaStatus.href.split('/').at(-1);
    const id = idOf();
    bank.sca(id, 'psu-1', 'SCA_CANCEL');
    expect(status()).toBe('ACTC');
    expect(idOf()).not.toBe(id);
    bank.now += 24 * HOUR;
    expect(status()).toBe('ACSC');
    expect(errorOf(on('payments.cancel'))).toBe('405 CANCELLATION_INVALID');
  });
});

describe('notifications', () => {
  const headers = { 'TPP-Notification-URI': 'https://tpp.example/notify' };
  const promised = (notifies: boolean, preferred?: string) => {
    const content = preferred === undefined ? {} : { 'TPP-Notification-Content-Preferred': preferred };
    const { header } = create(aLivingBank({ notifies: () => notifies }), {
      headers: { ...headers, ...content },
    });
    return [header['aspsp-notification-support'], header['aspsp-notification-content']];
  };

  it('are promised as they will be sent, and no more', () => {
    expect(promised(false)).toEqual(['false', undefined]);
    expect(promised(true)).toEqual(['true', 'status=PROCESS']);
    expect(promised(true, 'status=SCA')).toEqual(['true', 'status=PROCESS']);
    expect(promised(true, 'status=SCA,LAST')).toEqual(['true', 'status=LAST']);
    expect(promised(true, 'status=PROCESS,LAST')).toEqual(['true', 'status=PROCESS']);
    expect(
      create(aLivingBank({ notifies: () => true })).header['aspsp-notification-support'],
    ).toBeUndefined();
  });
});

describe('payments with large bodies', () => {
  it('of one TPP are refused once they fill its room, with words that say so, and those of others go on', () => {
    const bank = aLivingBank();
    const body = { comment: 'x'.repeat(15_000) };
    let answer = create(bank, { body });
    let taken = 0;
    for (; answer.status === 201 && taken < 2_000; taken++) answer = create(bank, { body });
    expect(taken).toBeGreaterThan(900);
    expect(errorOf(answer)).toBe('503 SERVICE_UNAVAILABLE');
    expect(jsonOf(answer).tppMessages[0].text).toContain('remembers 16 MiB for each TPP');
    const other = { operation: 'payments.create', headers: HEADERS, body: BODY } as const;
    expect(bank.ask({ ...other, certificate: certificateOf(OTHER_TPP) }).status).toBe(201);
  });
});
