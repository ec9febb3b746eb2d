/** A recorded exchange as the texts that a store keeps, and back. */
import type { CertificateFacts } from '../certificate/index.js';
import {
  createTextMemory,
  type PackedOwn,
  type PackedShape,
  packExchange,
  unpackExchange,
} from '../exchange/index.js';
import type { Finding, Verdicts } from '../rules/index.js';
import { createJsonSharing, type SharedText, share } from './shared-text.js';
import type { RecordedExchange } from './store.js';

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

const shareShape = createJsonSharing<PackedShape>(({ operation }) => operation);

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

export function readRecordTexts(
  texts: RecordTexts,
  certificateOf: (reference: string) => CertificateFacts,
): RecordedExchange {
  const exchange = unpackExchange(
    {
      id: texts.id,
      session: texts.session,
      shape: parse<PackedShape>(texts.shape),
      own: JSON.parse(texts.own) as PackedOwn,
      requestBody: texts.requestBody?.text ?? null,
      answerBody: texts.answerBody?.text ?? null,
    },
    certificateOf,
  );
  return {
    exchange,
    verdicts: texts.verdicts === null ? {} : parse<Verdicts>(texts.verdicts),
    findings: texts.findings === null ? [] : (JSON.parse(texts.findings.text) as Finding[]),
  };
}
