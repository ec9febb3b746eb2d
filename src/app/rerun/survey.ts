/** Surveys a recording before it is sent: what an earlier call must know of later ones. */
import {
  type Exchange,
  type FileRecord,
  formValue,
  isFingerprint,
  queryValue,
} from '../../exchange/index.js';
import { parseScope } from '../../spec/index.js';
import { valuesGivenBy } from './learn.js';

/** In the order of recording, there at once or later. */
export type FileRows = Iterable<FileRecord> | AsyncIterable<FileRecord>;

export interface RecordingSurvey {
  readonly calls: number;
  /** Those of `code_verifier` that stand in the recording themselves, not as fingerprints. */
  readonly clearVerifiers: ReadonlySet<string>;
  /** By position: authorization requests whose end was not recorded, with the code that the TPP exchanged afterwards, if any. */
  readonly unseenEnds: ReadonlyMap<number, string | null>;
  /** Whether scaOAuth links lead to authorise itself; undefined where the recording has none. */
  readonly directLinks: boolean | undefined;
}

export async function surveyRecording(records: FileRows): Promise<RecordingSurvey> {
  const clearVerifiers = new Set<string>();
  const given = new Set<string>();
  const unseen = new Map<number, { readonly scope: string; code: string | null }>();
  let directLinks: boolean | undefined;
  let calls = 0;
  for await (const { exchange } of records) {
    const { call, answer } = exchange;
    if (isUnseenEnd(exchange))
      unseen.set(calls, { scope: queryValue(exchange.call, 'scope') ?? '', code: null });
    const verifier = formValue(exchange.call.content, 'code_verifier');
    if (verifier !== undefined && !isFingerprint(verifier)) clearVerifiers.add(verifier);
    const code =
      call.operation === 'oauth.token' && answer?.status === 200
        ? formValue(exchange.call.content, 'code')
        : undefined;
    if (code !== undefined && !given.has(code)) {
      given.add(code);
      claim([...unseen.values()], code, scopeOf(exchange));
    }
    if (answer !== null) for (const value of valuesGivenBy(answer)) given.add(value);
    directLinks ??= hasDirectLink(exchange);
    calls++;
  }
  const unseenEnds = new Map([...unseen].map(([index, end]) => [index, end.code] as const));
  return { calls, clearVerifiers, unseenEnds, directLinks };
}

/** The latest way of the PSU with the scope of the token, whose code nobody has claimed. */
function claim(
  ends: { readonly scope: string; code: string | null }[],
  code: string,
  scope: string | undefined,
): void {
  const end = ends.findLast((one) => one.code === null && (scope === undefined || one.scope === scope));
  if (end !== undefined) end.code = code;
}

/** The browser went on to pages of the bank's own: what the PSU did there, and how it ended, was not seen. */
function isUnseenEnd({ call, answer }: Exchange): boolean {
  if (call.operation !== 'oauth.authorize' || answer === null || answer.status >= 400) return false;
  if (answer.source !== 'upstream') return false;
  const location = answer.header.location ?? '';
  return !/[?&](?:code|error)=/.test(location);
}

function scopeOf({ answer }: Exchange): string | undefined {
  const value = answer?.content.kind === 'json' ? (answer.content.value as { scope?: unknown } | null) : null;
  return typeof value?.scope === 'string' && parseScope(value.scope) !== undefined ? value.scope : undefined;
}

function hasDirectLink({ answer }: Exchange): boolean | undefined {
  const href = /"scaOAuth"\s*:\s*\{\s*"href"\s*:\s*"([^"]*)"/.exec(answer?.body?.text ?? '')?.[1];
  return href === undefined ? undefined : !href.includes('/.well-known/');
}
