/** Renders a miss as a 404 in the error format of the operation, with the explanation in it. */
import type { Answer, Call } from '../../exchange/index.js';
import { describable } from '../answer-refusal.js';
import { answerErrorPage } from '../page.js';
import { prefersProblem } from '../prefers-problem.js';
import { openReply, type Rendered, renderJson } from '../render.js';
import type { MatchPlace } from './match-table.js';
import type { Miss } from './miss.js';

const STATUS = 404;
/** What a bank says of a value that it never gave out. */
const UNKNOWN: Readonly<Partial<Record<MatchPlace, readonly [status: number, code: string]>>> = {
  'header authorization': [401, 'TOKEN_UNKNOWN'],
  'header consent-id': [400, 'CONSENT_UNKNOWN'],
  'form code': [400, 'invalid_grant'],
  'form refresh_token': [400, 'invalid_grant'],
};
const LONGEST_TEXT = 500;
const CODE = 'RESOURCE_UNKNOWN';

export function answerMiss(call: Call, miss: Miss): Answer {
  if (call.listener === 'psu') {
    const texts = [miss.text, ...(miss.needs === null || miss.text.includes(miss.needs) ? [] : [miss.needs])];
    return answerErrorPage(call, 'replay', { status: STATUS, title: 'Not in the recording', texts });
  }
  const headers = call.operation === 'oauth.token' ? [['Pragma', 'no-cache'] as const] : [];
  const [status, code] = refusalOf(miss) ?? [STATUS, CODE];
  return openReply(call, { source: 'replay', status, rendered: renderMiss(call, miss, code), headers });
}

function refusalOf({ unknown }: Miss): readonly [status: number, code: string] | undefined {
  return unknown === null ? undefined : UNKNOWN[unknown];
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
