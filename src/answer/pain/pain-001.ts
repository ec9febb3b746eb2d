/** Payments as pain.001 (ISO 20022), read as the JSON that means the same (reading `pain-001`). */
import type { Element } from '@xmldom/xmldom';
import { elementAt, elementsIn, readXml, textAt } from '../../xml/index.js';

export interface Pain001 {
  readonly version: '03' | '09';
  readonly messageId: string;
  readonly informationId: string;
  /** The payments in the form of a bulk payment's body. */
  readonly body: {
    readonly debtorAccount: object;
    readonly requestedExecutionDate?: string;
    readonly batchBookingPreferred?: boolean;
    readonly payments: readonly object[];
  };
}

/** The deepest element of a pain.001 is the tenth. */
const MOST_DEPTH = 30;
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.001\.001\.(03|09)$/;

/** The payments; or what is wrong with the text. */
export function readPain001(text: string): Pain001 | string {
  const root = readXml(text, MOST_DEPTH);
  if (typeof root === 'string') return root;
  const version = NAMESPACE.exec(root.namespaceURI ?? '')?.[1];
  const isKnown = root.localName === 'Document' && (version === '03' || version === '09');
  if (!isKnown) return 'it is no Document of pain.001.001.03 or pain.001.001.09';
  const message = elementAt(root, 'CstmrCdtTrfInitn');
  const [information, ...more] = elementsIn(message, 'PmtInf');
  const [messageId, informationId] = [textAt(message, 'GrpHdr/MsgId'), textAt(information, 'PmtInfId')];
  if (messageId === undefined || messageId.length > LONGEST_ID) return 'GrpHdr/MsgId is missing, or too long';
  if (information === undefined || more.length > 0) return 'exactly one PmtInf is taken';
  if (informationId === undefined || informationId.length > LONGEST_ID)
    return 'PmtInf/PmtInfId is missing, or too long';
  if (textAt(information, 'PmtMtd') !== 'TRF') return 'PmtInf/PmtMtd is to be TRF';
  const transfers = elementsIn(information, 'CdtTrfTxInf');
  const miscounted =
    miscountedIn(elementAt(message, 'GrpHdr'), transfers) ?? miscountedIn(information, transfers);
  if (miscounted !== undefined) return miscounted;
  return { version, messageId, informationId, body: bodyOf(information, transfers) };
}

const LONGEST_ID = 35;

function bodyOf(information: Element, transfers: readonly Element[]): Pain001['body'] {
  const date = textAt(information, 'ReqdExctnDt/Dt') ?? textAt(information, 'ReqdExctnDt');
  const batch = textAt(information, 'BtchBookg');
  const common = present({
    debtorName: textAt(information, 'Dbtr/Nm'),
    chargeBearer: textAt(information, 'ChrgBr'),
  });
  return {
    debtorAccount: accountOf(information, 'DbtrAcct'),
    ...(date === undefined ? {} : { requestedExecutionDate: date }),
    ...(batch === undefined ? {} : { batchBookingPreferred: batch === 'true' }),
    payments: transfers.map((transfer) => ({ ...common, ...paymentOf(transfer) })),
  };
}

function paymentOf(transfer: Element): object {
  const amount = elementAt(transfer, 'Amt/InstdAmt');
  const agent = 'CdtrAgt/FinInstnId';
  const endToEnd = textAt(transfer, 'PmtId/EndToEndId');
  const reference = textAt(transfer, 'RmtInf/Strd/CdtrRefInf/Ref');
  return present({
    endToEndIdentification: endToEnd === 'NOTPROVIDED' ? undefined : endToEnd,
    instructionIdentification: textAt(transfer, 'PmtId/InstrId'),
    instructedAmount: present({
      currency: amount?.getAttribute('Ccy') ?? undefined,
      amount: textAt(transfer, 'Amt/InstdAmt'),
    }),
    creditorAgent: textAt(transfer, `${agent}/BICFI`) ?? textAt(transfer, `${agent}/BIC`),
    creditorName: textAt(transfer, 'Cdtr/Nm'),
    creditorAccount: accountOf(transfer, 'CdtrAcct'),
    chargeBearer: textAt(transfer, 'ChrgBr'),
    purposeCode: textAt(transfer, 'Purp/Cd'),
    remittanceInformationUnstructured: textAt(transfer, 'RmtInf/Ustrd'),
    remittanceInformationStructured: reference === undefined ? undefined : { reference },
  });
}

const accountOf = (parent: Element, name: string): object =>
  present({
    iban: textAt(parent, `${name}/Id/IBAN`),
    bban: textAt(parent, `${name}/Id/Othr/Id`),
    currency: textAt(parent, `${name}/Ccy`),
  });

const present = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** NbOfTxs and CtrlSum, where they are there, are those of the payments. */
function miscountedIn(parent: Element | undefined, transfers: readonly Element[]): string | undefined {
  const [count, sum] = [textAt(parent, 'NbOfTxs'), textAt(parent, 'CtrlSum')];
  const at = parent?.localName ?? '';
  if (count !== undefined && Number(count) !== transfers.length)
    return `${at}/NbOfTxs is ${count}, and there are ${transfers.length} payments`;
  if (sum === undefined) return undefined;
  const total = transfers.reduce((all, one) => all + thousandthsOf(textAt(one, 'Amt/InstdAmt')), 0);
  return thousandthsOf(sum) === total ? undefined : `${at}/CtrlSum is not the sum of the payments`;
}

const thousandthsOf = (amount = ''): number => Math.round(Number(amount) * 1000);
