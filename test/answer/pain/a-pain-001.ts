/** pain.001 for tests: two payments of one account, and texts that change it. */

export interface Transfer {
  readonly amount?: string;
  readonly name?: string;
  readonly iban?: string;
  readonly endToEndId?: string;
}

interface Given {
  readonly version?: '03' | '09';
  readonly transfers?: readonly Transfer[];
  readonly count?: number;
  readonly sum?: string;
}

const transferOf = ({
  amount = '12.50',
  name = 'Fietsen &amp; Co',
  iban = 'DE89370400440532013000',
  endToEndId = 'E2E-1',
}: Transfer) => `
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${endToEndId}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>
        <Cdtr><Nm>${name}</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>
      </CdtTrfTxInf>`;

export function aPain001({ version = '03', transfers = [{}], count, sum }: Given = {}): string {
  const date = version === '03' ? '2026-03-03' : '<Dt>2026-03-03</Dt>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>MESSAGE-1</MsgId><CreDtTm>2026-03-02T12:00:00</CreDtTm><NbOfTxs>${count ?? transfers.length}</NbOfTxs>
      ${sum === undefined ? '' : `<CtrlSum>${sum}</CtrlSum>`}<InitgPty><Nm>Anna Peeters</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>INFORMATION-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>
      <ReqdExctnDt>${date}</ReqdExctnDt>
      <Dbtr><Nm>Anna Peeters</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>BE68539007547034</IBAN></Id></DbtrAcct>${transfers.map(transferOf).join('')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>`;
}

export const STANDING = { startDate: '2026-03-02', frequency: 'Monthly', dayOfExecution: '2' };

/** With the JSON of a standing order beside it. */
export const multipartOf = (boundary: string, pain = aPain001(), standing: object = STANDING): string =>
  [
    ...[
      `--${boundary}`,
      'Content-Disposition: form-data; name="xml_sct"',
      'Content-Type: application/xml',
      '',
      pain,
    ],
    ...[`--${boundary}`, 'Content-Disposition: form-data; name="json_standingorderType"'],
    ...['Content-Type: application/json', '', JSON.stringify(standing), `--${boundary}--`, ''],
  ].join('\r\n');
