/** The body of a recorded call with this run's values; one in which nothing changes keeps its spelling. */
import { type FileRecord, formValue } from '../../exchange/index.js';
import type { VerifierFlaw } from './pkce.js';
import type { RunState } from './run-state.js';

const DEEPEST = 100;

/** Base64 where the recorded one is; null where there is none. */
export function buildBody(record: FileRecord, state: RunState): string | null {
  const { content, request } = record.exchange.call;
  const { body } = request;
  if (body === null) return null;
  if (content.kind === 'form') return buildForm(record, content.fields, state) ?? body.text;
  if (content.kind !== 'json') return body.text;
  const value = translateValue(content.value, state, 0);
  return value === content.value ? body.text : JSON.stringify(value);
}

/** null where nothing changes. */
function buildForm(
  record: FileRecord,
  fields: readonly (readonly [string, string])[],
  { sent, challenges }: RunState,
): string | null {
  let changed = false;
  const code = formValue(record.exchange.call.content, 'code') ?? '';
  const pairs = fields.map(([name, value]): [string, string] => {
    const now =
      name === 'code_verifier'
        ? challenges.verifierFor(value, code, flawOf(record))
        : (sent.valueOf(value) ?? sent.translate(value));
    changed ||= now !== value;
    return [name, now];
  });
  return changed ? new URLSearchParams(pairs).toString() : null;
}

/** As it was judged when it was recorded. */
function flawOf({ verdicts = {}, findings = [] }: FileRecord): VerifierFlaw | null {
  const isViolated = (rule: string) =>
    verdicts[rule] === 'violated' || findings.some((finding) => finding.rule === rule);
  if (isViolated('oauth/verifier-well-formed')) return 'malformed';
  return isViolated('oauth/verifier-matches-challenge') ? 'mismatch' : null;
}

/** The same value where nothing in it changes. */
function translateValue(value: unknown, state: RunState, depth: number): unknown {
  if (typeof value === 'string') return state.sent.translate(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => translateValue(entry, state, depth + 1));
    return entries.every((entry, i) => entry === value[i]) ? value : entries;
  }
  const members = Object.entries(value).map(
    ([name, inner]) => [name, translateValue(inner, state, depth + 1)] as const,
  );
  return members.every(([name, inner]) => inner === (value as Record<string, unknown>)[name])
    ? value
    : Object.fromEntries(members);
}
