/** The body of a posted payment as JSON, in whichever of its product's media it came. */
import type { SentAs } from '../../bank/index.js';
import { type Answer, type Call, mediaType } from '../../exchange/index.js';
import type { PaymentService, ProductRow } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { readMultipart } from '../pain/multipart.js';
import { type Pain001, readPain001 } from '../pain/pain-001.js';
import { XML_TYPE } from '../pain/write-xml.js';

export interface Posted {
  readonly body: object;
  /** It came as pain.001. */
  readonly sentAs?: SentAs;
}

/** Multipart bodies bring a boundary. */
const LONGEST_TYPE = 200;

export function readPosted(call: Call, { service, media }: ProductRow): Posted | Answer {
  const contentType = call.header['content-type'] ?? '';
  const isJson = call.content.kind === 'json';
  const type = isJson ? 'application/json' : mediaType(contentType);
  const text = call.content.kind === 'opaque' ? call.request.body?.text : undefined;
  if (!media.includes(type) || contentType.length > LONGEST_TYPE) return refuse(call, 'FORMAT_ERROR');
  if (call.content.kind === 'json') {
    const body = withoutNulls(call.content.value);
    return typeof body === 'object' && body !== null ? { body } : refuse(call, 'FORMAT_ERROR');
  }
  const read = text === undefined ? 'it is no text in UTF-8' : readSent(type, contentType, text);
  const body = typeof read === 'string' ? read : bodyFor(service, read);
  if (typeof read === 'string' || typeof body === 'string')
    return refuse(call, 'FORMAT_ERROR', { text: `The pain.001 cannot be taken: ${body}.` });
  const { version, messageId, informationId } = read.pain;
  return { body: { ...body, sent: text }, sentAs: { type: contentType, version, messageId, informationId } };
}

interface Sent {
  readonly pain: Pain001;
  /** JSON beside it: the days of a standing order. */
  readonly beside: object;
}

function readSent(type: string, contentType: string, text: string): Sent | string {
  if (type === XML_TYPE) {
    const pain = readPain001(text);
    return typeof pain === 'string' ? pain : { pain, beside: {} };
  }
  const parts = readMultipart(contentType, text);
  if (parts === undefined) return 'the parts of the body cannot be read';
  const xml = parts.find(({ name }) => name.startsWith('xml_'));
  const json = parts.find(({ name }) => name === 'json_standingorderType');
  if (xml === undefined || json === undefined)
    return 'the parts are to be xml_sct and json_standingorderType';
  const pain = readPain001(xml.text);
  const beside = jsonObject(json.text);
  if (beside === undefined) return 'json_standingorderType is to be a JSON object';
  return typeof pain === 'string' ? pain : { pain, beside };
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = withoutNulls(JSON.parse(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A standing order has a startDate in the place of a date of execution. */
function bodyFor(service: PaymentService, { pain: { body }, beside }: Sent): object | string {
  if (service === 'bulk-payments') return body;
  const { debtorAccount, requestedExecutionDate, payments } = body;
  const [payment] = payments;
  if (payment === undefined || payments.length > 1) return 'exactly one CdtTrfTxInf is taken';
  const date =
    service === 'payments' && requestedExecutionDate !== undefined ? { requestedExecutionDate } : {};
  return { ...beside, ...payment, debtorAccount, ...date };
}

/** Clients serialise unset members as null, which no member of the standard may be. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
