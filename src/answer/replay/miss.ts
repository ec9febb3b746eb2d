/** A miss: a call that the recording has no answer to, with the reason in words and values, and how it is answered. */
import type { Answer, Call } from '../../exchange/index.js';
import { describable } from '../answer-refusal.js';
import { answerErrorPage } from '../page.js';
import { prefersProblem } from '../prefers.js';
import { openReply, type Rendered, renderJson } from '../render.js';
import type { MatchPlace } from './match-table.js';

export interface MissDifference {
  readonly place: MatchPlace;
  readonly expected: string;
  readonly got: string;
}

export type MissKind =
  /** The recording has no call of this operation, or of this path. */
  | 'not-recorded'
  | 'differs'
  | 'used-up'
  /** Recorded only after, or only before, a write that this run has not made, or has made. */
  | 'too-early'
  | 'too-late'
  | 'incomplete';

/** A sentence with the command that records a call of this kind. */
export type HowToRecord = (kind: MissKind) => string;

export interface Miss {
  readonly kind: MissKind;
  readonly at: number;
  readonly exchange: string;
  readonly method: string;
  readonly path: string;
  /** All of it in a few sentences: the rules that the call breaks first, then what differs, and how it is recorded. */
  readonly text: string;
  /** Rules that the call breaks, as `rule: what is wrong`; where another call was recorded, or none. */
  readonly breaks: readonly string[];
  readonly closest: {
    readonly exchange: string;
    readonly method: string;
    readonly path: string;
    /** The line in the file; null if the recording is no file of lines. */
    readonly line: number | null;
    readonly differences: readonly MissDifference[];
  } | null;
  /** A code, token or consent that the replay did not give out: it is refused as a bank would refuse it. */
  readonly unknown: MatchPlace | null;
  /** The step that the flow needed first; null if it is unknown. */
  readonly needs: string | null;
  readonly handedOn: boolean;
}

const STATUS = 404;
/** A bank's errors for values that it never gave out. */
const UNKNOWN: Readonly<Partial<Record<MatchPlace, readonly [status: number, code: string]>>> = {
  'header authorization': [401, 'TOKEN_UNKNOWN'],
  'header consent-id': [400, 'CONSENT_UNKNOWN'],
  'form code': [400, 'invalid_grant'],
  'form refresh_token': [400, 'invalid_grant'],
};
const LONGEST_TEXT = 500;
const CODE = 'RESOURCE_UNKNOWN';

/** A 404 in the error format of the operation, with the explanation in it. */
export function answerMiss(call: Call, miss: Miss): Answer {
  if (call.listener === 'psu') {
    const texts = [miss.text, ...(miss.needs === null || miss.text.includes(miss.needs) ? [] : [miss.needs])];
    return answerErrorPage(call, 'replay', { status: STATUS, title: 'Not in the recording', texts });
  }
  const headers = call.operation === 'oauth.token' ? [['Pragma', 'no-cache'] as const] : [];
  const [status, code] = (miss.unknown === null ? undefined : UNKNOWN[miss.unknown]) ?? [STATUS, CODE];
  return openReply(call, { source: 'replay', status, rendered: renderMiss(call, miss, code), headers });
}

function renderMiss(call: Call, miss: Miss, code: string): Rendered {
  const { kind, breaks, closest, needs } = miss;
  const text = miss.text.slice(0, LONGEST_TEXT);
  // A member of our own beside those of the format: readers of the format do not look at it.
  const sandgate = { miss: kind, text: miss.text, breaks, closest, needs };
  if (call.operation === 'oauth.token') {
    return renderJson({
      error: code === CODE ? 'invalid_request' : code,
      error_description: describable(miss.text),
      sandgate,
    });
  }
  if (!prefersProblem(call.header.accept)) {
    return renderJson({ tppMessages: [{ category: 'ERROR', code, text }], sandgate });
  }
  return renderJson(
    { type: 'urn:sandgate:replay:miss', code, title: 'Not in the recording', detail: text, sandgate },
    'application/problem+json',
  );
}
