/** The status of a payment that came as pain.001, as pain.002 (reading `pain-002`). */
import { element, leaf, xmlDocument } from './write-xml.js';

/** Each version of pain.001 is answered by the pain.002 of its year. */
const ANSWERS = { '03': 'pain.002.001.03', '09': 'pain.002.001.10' } as const;

export interface StatusOfPart {
  readonly endToEndId?: unknown;
  readonly status: string;
  /** A code of ISO 20022; null: none. */
  readonly reason: string | null;
}

export interface StatusReport {
  readonly version: '03' | '09';
  readonly messageId: string;
  readonly informationId: string;
  readonly paymentId: string;
  readonly createdAt: Date;
  readonly status: string;
  readonly reason: string | null;
  readonly parts: readonly StatusOfPart[];
}

export function pain002Of(report: StatusReport): string {
  const { version, messageId, informationId, paymentId, createdAt, status, reason, parts } = report;
  return xmlDocument(
    ANSWERS[version],
    element(
      'CstmrPmtStsRpt',
      element(
        'GrpHdr',
        leaf('MsgId', paymentId.replaceAll('-', '').slice(0, 35)),
        leaf('CreDtTm', createdAt.toISOString()),
      ),
      element(
        'OrgnlGrpInfAndSts',
        leaf('OrgnlMsgId', messageId),
        leaf('OrgnlMsgNmId', `pain.001.001.${version}`),
        leaf('GrpSts', status),
        reasonOf(reason),
      ),
      element(
        'OrgnlPmtInfAndSts',
        leaf('OrgnlPmtInfId', informationId),
        leaf('PmtInfSts', status),
        ...parts.map(partOf),
      ),
    ),
  );
}

const partOf = ({ endToEndId, status, reason }: StatusOfPart): string =>
  element(
    'TxInfAndSts',
    leaf('OrgnlEndToEndId', endToEndId ?? 'NOTPROVIDED'),
    leaf('TxSts', status),
    reasonOf(reason),
  );

const reasonOf = (reason: string | null): string => element('StsRsnInf', element('Rsn', leaf('Cd', reason)));
