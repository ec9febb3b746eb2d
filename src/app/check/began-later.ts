/** Tells by an exchange whether more was known where it was recorded than the recording holds from its beginning. */
import { type FileRecord, queryValue } from '../../exchange/index.js';
import type { Judged } from '../../rules/index.js';
import { isSandboxResource, parseScope } from '../../spec/index.js';

/** Rules on what must be known, and the id that they look for; a token names none. */
const KNOWN: Readonly<Record<string, (record: FileRecord) => string>> = {
  'accounts/token-known': () => '',
  'accounts/consent-known': ({ exchange: { call } }) => call.header['consent-id'] ?? '',
  'consents/known-to-tpp': ({ exchange: { call } }) => call.params.consentId ?? '',
  'payments/known-to-tpp': ({ exchange: { call } }) => call.params.paymentId ?? '',
  'oauth/scope-names-created-resource': ({ exchange: { call } }) =>
    parseScope(queryValue(call, 'scope') ?? '')?.id ?? '',
};

/**
 * A token, consent or payment is not known here, though it was where the call was judged live: by its verdict, or because
 * nothing was found and no emulator refused it, as that one does by itself. A bank of its own may know it in any case. An
 * id that the sandbox fixes is known by its profile alone.
 */
export function showsMoreWasKnown(record: FileRecord, { findings }: Judged): boolean {
  return findings.some(({ rule }) => {
    const id = KNOWN[rule]?.(record);
    return id !== undefined && !isSandboxResource(id) && wasKnown(rule, record);
  });
}

function wasKnown(rule: string, { exchange: { answer }, verdicts, findings }: FileRecord): boolean {
  if (answer?.source === 'upstream') return true;
  if (verdicts !== undefined) return verdicts[rule] === 'complied' || verdicts[rule] === 'not-observed';
  if (findings === undefined || findings.some((found) => found.rule === rule)) return false;
  if (answer === null || answer.source === 'gateway' || answer.source === 'rule') return true;
  return answer.source === 'emulator' && answer.status >= 200 && answer.status < 300;
}
