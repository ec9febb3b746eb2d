/** Renders a miss as a 404 in the error format of the operation, with the explanation in it. */
import type { Answer, Call } from '../../exchange/index.js';
import { describable } from '../answer-refusal.js';
import { answerErrorPage } from '../page.js';
import { prefersProblem } from '../prefers-problem.js';
import { openReply, type Rendered, renderJson } from '../render.js';
import type { Miss } from './miss.js';

const STATUS = 404;
const LONGEST_TEXT = 500;
const CODE = 'RESOURCE_UNKNOWN';

export function answerMiss(call: Call, miss: Miss): Answer {
  if (call.listener === 'psu') {
    const texts = [miss.text, ...(miss.needs === null || miss.text.includes(miss.needs) ? [] : [miss.needs])];
    return answerErrorPage(call, 'replay', { status: STATUS, title: 'Not in the recording', texts });
  }
  const headers = call.operation === 'oauth.token' ? [['Pragma', 'no-cache'] as const] : [];
  return openReply(call, { source: 'replay', status: STATUS, rendered: renderMiss(call, miss), headers });
}

function renderMiss(call: Call, miss: Miss): Rendered {
  const { kind, breaks, closest, needs } = miss;
  const text = miss.text.slice(0, LONGEST_TEXT);
  // A member of our own beside those of the format: readers of the format do not look at it.
  const sandgate = { miss: kind, text: miss.text, breaks, closest, needs };
  if (call.operation === 'oauth.token') {
    return renderJson({ error: 'invalid_request', error_description: describable(miss.text), sandgate });
  }
  if (!prefersProblem(call.header.accept)) {
    return renderJson({ tppMessages: [{ category: 'ERROR', code: CODE, text }], sandgate });
  }
  return renderJson(
    { type: 'urn:sandgate:replay:miss', code: CODE, title: 'Not in the recording', detail: text, sandgate },
    'application/problem+json',
  );
}
