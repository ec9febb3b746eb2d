/** A payment in JSON as pain.001.001.03. */

import { memberOf } from '../../exchange/index.js';
import { isBic } from '../../spec/index.js';
import { element, leaf, xmlDocument } from './write-xml.js';

interface Names {
  readonly messageId: string;
  readonly createdAt: Date;
}

/** `payment`: of one payee. */
export function pain001Of(payment: object, { messageId, createdAt }: Names): string {
  const said = (...path: string[]) => path.reduce<unknown>(memberOf, payment);
  const agent = said('creditorAgent');
  return xmlDocument(
    'pain.001.001.03',
    element(
      'CstmrCdtTrfInitn',
      element(
        'GrpHdr',
        leaf('MsgId', messageId),
        leaf('CreDtTm', createdAt.toISOString()),
        leaf('NbOfTxs', '1'),
        element('InitgPty', leaf('Nm', said('debtorName') ?? 'Debtor')),
      ),
      element(
        'PmtInf',
        leaf('PmtInfId', messageId),
        leaf('PmtMtd', 'TRF'),
        leaf('ReqdExctnDt', said('requestedExecutionDate') ?? said('startDate')),
        element('Dbtr', leaf('Nm', said('debtorName') ?? 'Debtor')),
        accountOf('DbtrAcct', said('debtorAccount')),
        element('DbtrAgt', element('FinInstnId', element('Othr', leaf('Id', 'NOTPROVIDED')))),
        element(
          'CdtTrfTxInf',
          element('PmtId', leaf('EndToEndId', said('endToEndIdentification') ?? 'NOTPROVIDED')),
          element(
            'Amt',
            leaf(
              'InstdAmt',
              said('instructedAmount', 'amount'),
              `Ccy="${said('instructedAmount', 'currency')}"`,
            ),
          ),
          element(
            'CdtrAgt',
            element('FinInstnId', leaf('BIC', typeof agent === 'string' && isBic(agent) ? agent : undefined)),
          ),
          element('Cdtr', leaf('Nm', said('creditorName'))),
          accountOf('CdtrAcct', said('creditorAccount')),
          element('RmtInf', leaf('Ustrd', said('remittanceInformationUnstructured'))),
        ),
      ),
    ),
  );
}

const accountOf = (name: string, account: unknown): string =>
  element(
    name,
    element(
      'Id',
      memberOf(account, 'iban') === undefined
        ? element('Othr', leaf('Id', memberOf(account, 'bban')))
        : leaf('IBAN', memberOf(account, 'iban')),
    ),
  );
