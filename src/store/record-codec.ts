/** Converts a recorded exchange to the texts that a store keeps, and back. */
import type { CertificateFacts } from '../certificate/index.js';
import {
  createTextMemory,
  isObject,
  type PackedOwn,
  type PackedShape,
  packExchange,
  unpackExchange,
  withheldOwn,
} from '../exchange/index.js';
import type { Finding, Verdicts } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from './recorded.js';
import { createJsonSharing, type SharedText, share } from './shared-text.js';

export interface RecordTexts {
  readonly id: string;
  readonly session: string;
  readonly own: string;
  readonly shape: SharedText;
  readonly verdicts: SharedText | null;
  readonly findings: SharedText | null;
  readonly requestBody: SharedText | null;
  readonly answerBody: SharedText | null;
}

/** Bodies come again and again. */
const shareAgain = createTextMemory(share);

const shareOrNull = (text: string | null): SharedText | null => (text === null ? null : shareAgain(text));

/** A beginning has no answer, and is compared with beginnings alone. */
const shareShape = createJsonSharing<PackedShape>(({ operation, answer }) =>
  answer === null ? `${operation} without answer` : operation,
);

const shareFindings = createJsonSharing<readonly Finding[]>(([first]) => first?.rule);

/** The judge hands out the same verdicts again and again. */
const sharedVerdicts = new WeakMap<Verdicts, SharedText>();

function shareVerdicts(verdicts: Verdicts): SharedText {
  let shared = sharedVerdicts.get(verdicts);
  if (shared === undefined) {
    shared = share(JSON.stringify(verdicts));
    sharedVerdicts.set(verdicts, shared);
  }
  return shared;
}

export function recordTexts({ exchange, verdicts, findings }: RecordedExchange): RecordTexts {
  const packed = packExchange(exchange);
  return {
    id: packed.id,
    session: packed.session,
    own: JSON.stringify(packed.own),
    shape: shareShape(packed.shape),
    verdicts: shareVerdicts(verdicts),
    findings: findings.length === 0 ? null : shareFindings(findings),
    requestBody: shareOrNull(packed.requestBody),
    answerBody: shareOrNull(packed.answerBody),
  };
}

const WITHHELD = { place: 'the exchange', expected: 'content that can be read' } as const;

const left = new WeakMap<SharedText, SharedText>();

function shareLeft(findings: readonly Finding[]): SharedText {
  const whole = shareFindings(findings);
  let shared = left.get(whole);
  if (shared === undefined) {
    const kept = findings.map(({ rule, severity, judges, waived }) => ({
      ...{ rule, severity, judges, ...WITHHELD },
      ...(waived === undefined ? {} : { waived }),
    }));
    shared = share(JSON.stringify(kept));
    left.set(whole, shared);
  }
  return shared;
}

/** A record without its content; `mark`: see `PackedOwn`. */
export function withheldTexts(
  { exchange, verdicts, findings }: RecordedExchange,
  mark: string,
  packed = packExchange(exchange, true),
): RecordTexts {
  return {
    id: packed.id,
    session: packed.session,
    own: JSON.stringify(withheldOwn(packed, mark)),
    shape: shareShape(packed.shape),
    verdicts: shareVerdicts(verdicts),
    findings: findings.length === 0 ? null : shareLeft(findings),
    requestBody: null,
    answerBody: null,
  };
}

/** Own text, findings, and bodies. */
export type Content = readonly (string | null)[];

/** The texts that stay, and the content, which is enciphered by this key. */
export function splitTexts(
  record: RecordedExchange,
  key: string,
): { readonly left: RecordTexts; readonly content: Content } {
  const packed = packExchange(record.exchange, true);
  const findings = record.findings.length === 0 ? null : shareFindings(record.findings).text;
  return {
    left: withheldTexts(record, key, packed),
    content: [JSON.stringify(packed.own), findings, packed.requestBody, packed.answerBody],
  };
}

/** The key under which the content of an exchange is enciphered, by its own text. */
export const keyIn = (own: string): string | undefined => /,"([cs][\da-f]{24})"\]$/.exec(own)?.[1];

/** The block stands where a body does. `decipher` gives null where the key does not fit, or is not at hand, and undefined where it is gone. */
export function openedTexts(
  texts: RecordTexts,
  decipher: (key: string, block: SharedText) => Content | null | undefined,
): RecordTexts {
  const key = keyIn(texts.own);
  if (key === undefined) return texts;
  const content = texts.requestBody === null ? null : decipher(key, texts.requestBody);
  const unshared = (part: string | null | undefined): SharedText | null =>
    part == null ? null : { text: part, digest: '' };
  if (content == null) {
    const own = content === undefined ? texts.own.replace(`"${key}"]`, '"erased"]') : texts.own;
    return { ...texts, own, requestBody: null };
  }
  const [own, findings, requestBody, answerBody] = content;
  return {
    ...texts,
    own: own ?? '',
    findings: unshared(findings),
    requestBody: unshared(requestBody),
    answerBody: unshared(answerBody),
  };
}

/** Many records share a text, and with it what it says. */
const parsed = new WeakMap<SharedText, unknown>();

function parse<T>(shared: SharedText): T {
  let value = parsed.get(shared);
  if (value === undefined) {
    value = JSON.parse(shared.text);
    parsed.set(shared, value);
  }
  return value as T;
}

/** Rows changed behind the store's back must fail here, and not where they are used. */
function hold(isSound: boolean, what: string): void {
  if (!isSound) throw new SandgateError('record.unreadable', { what });
}

function readOwn(text: string): PackedOwn {
  const own = JSON.parse(text) as PackedOwn;
  hold(Array.isArray(own), 'An exchange');
  const [at, total, answerer, address, target, params, values, , answerValues, , ...rare] = own;
  const [, ahead = 0, crossed = 0, scope, injected] = rare;
  const numbers =
    [at, total, ...[answerer].flat(), ahead].every((one) => Number.isFinite(one)) &&
    Number.isSafeInteger(crossed) &&
    crossed >= 0 &&
    [at, at - ahead].every((time) => Math.abs(time) <= 8.64e15);
  const lists = [params, values, answerValues].every((one) => Array.isArray(one));
  const texts = [address, target, scope ?? ''].every((one) => typeof one === 'string');
  const marks = [injected?.fault ?? '', injected?.kind ?? ''].every((one) => typeof one === 'string');
  hold(numbers && texts && lists && marks, 'An exchange');
  return own;
}

function readShape(shared: SharedText): PackedShape {
  const isKnown = parsed.has(shared);
  const shape = parse<PackedShape>(shared);
  if (isKnown) return shape;
  const { answer, headers, params, certificate, method, listener } = isObject(shape)
    ? shape
    : ({} as PackedShape);
  const texts = [certificate, method, listener].every((one) => typeof one === 'string');
  const answers = answer === null || (isObject(answer) && Array.isArray(answer.headers));
  hold(texts && answers && Array.isArray(headers) && Array.isArray(params), 'The form of an exchange');
  return shape;
}

const FINDING_TEXTS = ['rule', 'severity', 'judges', 'place', 'expected'] as const;

function readFindings(text: string): Finding[] {
  const findings = JSON.parse(text) as Finding[];
  const isOne = (one: unknown) =>
    isObject(one) && FINDING_TEXTS.every((name) => typeof one[name] === 'string');
  hold(Array.isArray(findings) && findings.every(isOne), 'A finding');
  return findings;
}

function readVerdicts(shared: SharedText): Verdicts {
  const verdicts = parse<Verdicts>(shared);
  hold(isObject(verdicts), 'A verdict');
  return verdicts;
}

export function readRecordTexts(
  texts: RecordTexts,
  certificateOf: (reference: string) => CertificateFacts,
): RecordedExchange {
  const exchange = unpackExchange(
    {
      id: texts.id,
      session: texts.session,
      shape: readShape(texts.shape),
      own: readOwn(texts.own),
      requestBody: texts.requestBody?.text ?? null,
      answerBody: texts.answerBody?.text ?? null,
    },
    certificateOf,
  );
  return {
    exchange,
    verdicts: texts.verdicts === null ? {} : readVerdicts(texts.verdicts),
    findings: texts.findings === null ? [] : readFindings(texts.findings.text),
  };
}
