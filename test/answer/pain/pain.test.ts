import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../../src/answer/pain/multipart.js';
import { readPain001 } from '../../../src/answer/pain/pain-001.js';
import { pain002Of } from '../../../src/answer/pain/pain-002.js';
import { pain001Of } from '../../../src/answer/pain/write-pain-001.js';
import { readXml, textAt } from '../../../src/xml/index.js';
import { aPain001, multipartOf, STANDING } from './a-pain-001.js';

const PART = {
  debtorName: 'Anna Peeters',
  endToEndIdentification: 'E2E-1',
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorName: 'Fietsen & Co',
  creditorAccount: { iban: 'DE89370400440532013000' },
  remittanceInformationUnstructured: 'Invoice 1',
};

describe('a pain.001', () => {
  it.each(['03', '09'] as const)('of version %s is read as the JSON that means the same', (version) => {
    const transfers = [{}, { amount: '1', endToEndId: 'NOTPROVIDED' }];
    const { endToEndIdentification, ...plain } = PART;
    expect(readPain001(aPain001({ version, transfers, sum: '13.50' }))).toEqual({
      version,
      messageId: 'MESSAGE-1',
      informationId: 'INFORMATION-1',
      body: {
        debtorAccount: { iban: 'BE68539007547034' },
        requestedExecutionDate: '2026-03-03',
        batchBookingPreferred: false,
        payments: [PART, { ...plain, instructedAmount: { currency: 'EUR', amount: '1' } }],
      },
    });
  });

  it('may name a prefix for its namespace', () => {
    const prefixed = aPain001()
      .replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2')
      .replace('xmlns=', 'xmlns:p=');
    expect(readPain001(prefixed)).toMatchObject({ messageId: 'MESSAGE-1', body: { payments: [PART] } });
  });

  const pain = aPain001();
  const deep = '<a>'.repeat(31) + '</a>'.repeat(31);
  it.each([
    ['no XML', 'hello', 'it is not well-formed XML'],
    ['nothing', '', 'it is not well-formed XML'],
    ['XML that is cut off', pain.slice(0, -20), 'it is not well-formed XML'],
    [
      'a DTD',
      pain.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document'),
      /^a document type/,
    ],
    ['an entity of its own', pain.replace('Invoice 1', '&a;'), 'it is not well-formed XML'],
    ['another version', pain.replace('001.001.03', '001.001.02'), /^it is no Document/],
    ['no namespace', pain.replace(/ xmlns="[^"]+"/, ''), /^it is no Document/],
    ['no name of the message', pain.replace('MESSAGE-1', ''), /^GrpHdr\/MsgId/],
    ['a long name', pain.replace('INFORMATION-1', 'I'.repeat(36)), /^PmtInf\/PmtInfId/],
    ['a cheque', pain.replace('>TRF<', '>CHK<'), 'PmtInf/PmtMtd is to be TRF'],
    ['two accounts', pain.replace('</PmtInf>', '</PmtInf><PmtInf/>'), 'exactly one PmtInf is taken'],
    ['another count', aPain001({ count: 2 }), 'GrpHdr/NbOfTxs is 2, and there are 1 payments'],
    ['another sum', aPain001({ sum: '12.51' }), 'GrpHdr/CtrlSum is not the sum of the payments'],
    ['too deep a nest', pain.replace('Invoice 1', deep), 'it is nested more than 30 deep'],
    ['a nest of 5,000', pain.replace('Invoice 1', '<a>'.repeat(5_000) + '</a>'.repeat(5_000)), /deep|XML/],
  ])('is not taken with %s', (_, text, problem) => {
    const read = readPain001(text);
    expect(read).toEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
  });

  it('that is written is read again', () => {
    const payment = {
      ...PART,
      debtorAccount: { iban: 'BE68539007547034' },
      requestedExecutionDate: '2026-03-03',
    };
    const text = pain001Of(payment, { messageId: 'M', createdAt: new Date(0) });
    const { debtorAccount, requestedExecutionDate } = payment;
    expect(readPain001(text)).toMatchObject({
      body: { debtorAccount, requestedExecutionDate, payments: [PART] },
    });
  });
});

describe('a pain.002', () => {
  it('tells the status of the whole and of each payment, whatever their names hold', () => {
    const report = pain002Of({
      ...{ version: '09', messageId: 'A<&"\u0000', informationId: 'I', paymentId: 'f0000000-0000-4000' },
      ...{ createdAt: new Date(0), status: 'PART', reason: null },
      parts: [
        { endToEndId: 'one', status: 'ACSC', reason: null },
        { status: 'RJCT', reason: 'AM04' },
      ],
    });
    const root = readXml(report, 30);
    if (typeof root === 'string') throw new Error(root);
    expect(root.namespaceURI).toBe('urn:iso:std:iso:20022:tech:xsd:pain.002.001.10');
    expect(textAt(root, 'CstmrPmtStsRpt/OrgnlGrpInfAndSts/OrgnlMsgId')).toBe('A<&"');
    expect(textAt(root, 'CstmrPmtStsRpt/OrgnlGrpInfAndSts/GrpSts')).toBe('PART');
    expect(report).toContain(
      '<TxInfAndSts><OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></TxInfAndSts>',
    );
  });
});

describe('a multipart body', () => {
  it.each(['X-BOUNDARY', '"a b"'])('is read by its boundary %s', (boundary) => {
    const text = multipartOf(boundary.replaceAll('"', ''));
    const type = `multipart/form-data; boundary=${boundary}`;
    const parts = [
      { name: 'xml_sct', text: aPain001() },
      { name: 'json_standingorderType', text: JSON.stringify(STANDING) },
    ];
    expect(readMultipart(type, text)).toEqual(parts);
    const bare = readMultipart(type, text.replaceAll('\r\n', '\n'));
    expect(bare).toEqual(parts);
  });

  it.each([
    ['no boundary', 'multipart/form-data', multipartOf('B')],
    ['another boundary', 'multipart/form-data; boundary=C', multipartOf('B')],
    ['no end', 'multipart/form-data; boundary=B', multipartOf('B').replace('--B--', '--B')],
    ['no name', 'multipart/form-data; boundary=B', multipartOf('B').replaceAll('; name=', '; nom=')],
    ['no part', 'multipart/form-data; boundary=B', '--B--\r\n'],
    [
      'eleven parts',
      'multipart/form-data; boundary=B',
      multipartOf('B').repeat(6).replaceAll('--B--\r\n', ''),
    ],
  ])('is not with %s', (_, type, text) => {
    expect(readMultipart(type, text)).toBeUndefined();
  });
});
