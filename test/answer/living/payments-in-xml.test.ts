/** Payments as pain.001 at a bank whose profile takes them. */
import { describe, expect, it } from 'vitest';
import type { BankProfile, PaymentService } from '../../../src/spec/index.js';
import { DAY, NOON } from '../../bank/a-bank.js';
import type { CallParts } from '../../builders.js';
import { anEmulator, errorOf, jsonOf } from '../an-emulator.js';
import { aPain001, multipartOf, STANDING, type Transfer } from '../pain/a-pain-001.js';
import { aLivingBank, type LivingBankUnderTest } from './a-living-bank.js';

const PRODUCT = 'pain.001-sepa-credit-transfers';
const XML: NonNullable<BankProfile['services']>['payments'] = {
  [PRODUCT]: { like: 'SCT', media: ['application/xml'] },
};
const PROFILE: BankProfile = {
  name: 'a-bank',
  title: 'A bank',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all' }],
  services: {
    payments: XML,
    'bulk-payments': XML,
    'periodic-payments': { [PRODUCT]: { like: 'SCT', media: ['multipart/form-data'] } },
  },
};
const MULTIPART = 'multipart/form-data; boundary=BOUNDARY';

const create = (
  bank: LivingBankUnderTest,
  paymentService: PaymentService,
  body: string,
  type = 'application/xml',
) =>
  bank.ask({
    operation: 'payments.create',
    params: { paymentService, paymentProduct: PRODUCT },
    headers: {
      'PSU-IP-Address': '192.0.2.7',
      'TPP-Redirect-URI': 'https://tpp.example/cb',
      'Content-Type': type,
    },
    body,
  });

function created(bank: LivingBankUnderTest, paymentService: PaymentService, body: string, type?: string) {
  const { paymentId, _links } = jsonOf(create(bank, paymentService, body, type));
  const on = (operation: NonNullable<CallParts['operation']>, accept?: string) =>
    bank.ask({
      operation,
      params: { paymentService, paymentProduct: PRODUCT, paymentId },
      ...(accept === undefined ? {} : { headers: { Accept: accept } }),
    });
  bank.sca(_links.scaStatus.href.split('/').at(-1), 'psu-1');
  return { paymentId, on };
}

const bankWith = () => aLivingBank({ bankProfile: PROFILE });

describe('a pain.001', () => {
  it('is taken, executed, and read as it was sent', () => {
    const bank = bankWith();
    const { on } = created(bank, 'payments', aPain001({ version: '09' }));
    const read = on('payments.read');
    expect(read.header['content-type']).toBe('application/xml');
    expect(read.body?.text).toBe(aPain001({ version: '09' }));
    expect(jsonOf(on('payments.status'))).toEqual({ transactionStatus: 'ACTC' });
    bank.now = NOON + DAY;
    expect(jsonOf(on('payments.status'))).toEqual({ transactionStatus: 'ACSC' });
    expect(bank.books.state.payments.bookedOn('acc-1')).toMatchObject([
      {
        amount: -1250,
        payment: { body: { creditorName: 'Fietsen & Co', remittanceInformationUnstructured: 'Invoice 1' } },
      },
    ]);
    expect(bank.findings).toEqual([]);
  });

  it.each([
    ['application/xml', 'application/xml'],
    ['application/xml, application/json', 'application/xml'],
    ['application/json, application/xml', 'application/json'],
    ['*/*', 'application/json'],
    ['application/xml;q=0.5, application/json', 'application/json'],
  ])('has its status as the TPP asks for it: Accept: %s', (accept, type) => {
    const { on } = created(bankWith(), 'payments', aPain001());
    const status = on('payments.status', accept);
    expect(status.header['content-type']).toBe(type);
    expect(status.body?.text.includes('<GrpSts>ACTC</GrpSts>')).toBe(type === 'application/xml');
  });

  it('of several payments is a bulk payment, with the status of each in pain.002', () => {
    const bank = bankWith();
    const transfers: Transfer[] = [{ endToEndId: 'small' }, { endToEndId: 'large', amount: '999999.99' }];
    const { on } = created(bank, 'bulk-payments', aPain001({ transfers, sum: '1000012.49' }));
    expect(on('payments.status', 'application/xml').body?.text).toContain(
      '<OrgnlEndToEndId>large</OrgnlEndToEndId><TxSts>ACTC</TxSts>',
    );
    bank.now = NOON + DAY;
    const report = on('payments.status', 'application/xml').body?.text;
    for (const part of [
      '<OrgnlMsgId>MESSAGE-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId><GrpSts>PART</GrpSts>',
      '<OrgnlPmtInfId>INFORMATION-1</OrgnlPmtInfId>',
      '<OrgnlEndToEndId>small</OrgnlEndToEndId><TxSts>ACSC</TxSts>',
      '<OrgnlEndToEndId>large</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AM04</Cd>',
    ])
      expect(report).toContain(part);
  });

  it('is a standing order with its days in JSON beside it', () => {
    const bank = bankWith();
    const { on } = created(bank, 'periodic-payments', multipartOf('BOUNDARY'), MULTIPART);
    const read = on('payments.read');
    expect([read.header['content-type'], read.body?.text]).toEqual([MULTIPART, multipartOf('BOUNDARY')]);
    bank.now = Date.parse('2026-04-02T12:00:00Z');
    expect(jsonOf(on('payments.status'))).toEqual({ transactionStatus: 'ACSP' });
    expect(bank.books.state.payments.bookedOn('acc-1').map(({ amount }) => amount)).toEqual([-1250, -1250]);
  });

  it.each<[string, PaymentService, string, string, string?]>([
    ['400 FORMAT_ERROR', 'payments', 'two payments', aPain001({ transfers: [{}, {}] })],
    ['400 FORMAT_ERROR', 'payments', 'a DTD', aPain001().replace('<Doc', '<!DOCTYPE a><Doc')],
    ['400 FORMAT_ERROR', 'payments', 'no amount', aPain001({ transfers: [{ amount: '' }] })],
    ['400 FORMAT_ERROR', 'payments', 'an amount below zero', aPain001({ transfers: [{ amount: '-1' }] })],
    [
      '400 FORMAT_ERROR',
      'payments',
      'too many bytes',
      aPain001({ transfers: [{ name: 'A'.repeat(25_000) }] }),
    ],
    ['400 FORMAT_ERROR', 'payments', 'a long name', aPain001({ transfers: [{ name: 'A'.repeat(71) }] })],
    ['400 FORMAT_ERROR', 'periodic-payments', 'no part', aPain001(), MULTIPART],
    ['400 FORMAT_ERROR', 'periodic-payments', 'no days', multipartOf('BOUNDARY', aPain001(), {}), MULTIPART],
    [
      '400 FORMAT_ERROR',
      'periodic-payments',
      'no frequency',
      multipartOf('BOUNDARY', aPain001(), { ...STANDING, frequency: 'X' }),
      MULTIPART,
    ],
    [
      '400 PAYMENT_FAILED',
      'payments',
      'the debtor as creditor',
      aPain001({ transfers: [{ iban: 'BE68539007547034' }] }),
    ],
  ])('is refused with %s in %s for %s', (error, service, _, body, type) => {
    expect(errorOf(create(bankWith(), service, body, type))).toBe(error);
  });
});

describe('the sandbox bank', () => {
  it('answers a product in XML with a pain.001 and a pain.002', () => {
    const bank = anEmulator({ bankProfile: PROFILE });
    const params = { paymentProduct: PRODUCT };
    const read = bank.ask({ operation: 'payments.read', params });
    expect(read.body?.text).toContain('<CstmrCdtTrfInitn>');
    const status = bank.ask({ operation: 'payments.status', params, headers: { Accept: 'application/xml' } });
    expect(status.body?.text).toContain('<GrpSts>RCVD</GrpSts>');
    expect(jsonOf(bank.ask({ operation: 'payments.status', params }))).toEqual({ transactionStatus: 'RCVD' });
  });
});
