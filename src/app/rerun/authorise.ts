/** Authorisations on pages that a rerun cannot see: done by a person, or by asking for an outcome. */
import {
  type Answer,
  type Difference,
  divideLink,
  type Exchange,
  type FileRecord,
  queryValue,
} from '../../exchange/index.js';
import { PAGE_QUERY } from '../../spec/index.js';
import { prepareCall } from './prepare-call.js';
import { noteMissing, noteUnauthorised } from './reasons.js';
import type { RerunCall } from './result.js';
import { type AskPerson, factsOf, type Run } from './run.js';

/** An authorization request of which only the PSU's consent can be assumed: the TPP got a code for it. */
export const ASSUMED_SCENARIO = 'SCA_OK';
const BY_PERSON = 'a person completed these pages';

/** Only the last step is asked for; pages before it are part of the way there. */
export async function walkedThrough(
  run: Run,
  record: FileRecord,
  index: number,
  askPerson: AskPerson,
): Promise<RerunCall> {
  const { state, survey } = run;
  const { exchange } = record;
  const facts = factsOf(run, exchange, index);
  const unseen = survey.unseenEnds.get(index);
  if (!isLastStep(exchange, unseen !== undefined)) return { ...facts, outcome: 'sent', reason: BY_PERSON };
  const prepared = prepareCall(record, run, null);
  if ('reason' in prepared) {
    noteMissing(exchange, index, state);
    return { ...facts, outcome: 'skipped', reason: prepared.reason };
  }
  const end = await askForEnd(askPerson, index + 1, prepared.outgoing.url);
  const recorded = (exchange.answer === null ? undefined : codeOf(exchange.answer)) ?? unseen;
  if (typeof recorded === 'string')
    learnCode(run, exchange, index, recorded, end !== null && 'code' in end ? end.code : undefined);
  if (end === null) return { ...facts, outcome: 'skipped', reason: noteUnauthorised(exchange, index, state) };
  const differences = compareEnds(exchange, end);
  return { ...facts, outcome: differences[0]?.class ?? 'sent', reason: BY_PERSON, differences };
}

/** The pages of a bank were left out: there is nothing to compare, but a code to go on with. */
export function stoodIn(run: Run, exchange: Exchange, index: number, code: string, now: Answer): RerunCall {
  const own = codeOf(now);
  learnCode(run, exchange, index, code, own);
  const reason = `${ASSUMED_SCENARIO} is used in place of what the PSU did on the bank’s own pages`;
  return { ...factsOf(run, exchange, index), now: now.status, outcome: 'sent', reason };
}

function learnCode(
  { state }: Run,
  exchange: Exchange,
  index: number,
  recorded: string,
  own: string | undefined,
): void {
  if (own === undefined) {
    state.missing.set(recorded, `it needs the code that call ${index + 1} did not get`);
    return;
  }
  state.sent.learn(recorded, own);
  state.challenges.noteCode(recorded, queryValue(exchange.call, 'code_challenge') ?? '');
}

export const codeOf = ({ header }: Answer): string | undefined =>
  header.location === undefined ? undefined : divideLink(header.location).parameters.get('code');

export type ScaEnd = { readonly code: string } | { readonly error: string };

/** The last step of an authorisation: it ended in a redirect, or went on to where the recording did not see. */
export function isLastStep({ answer }: Exchange, isUnseen: boolean): boolean {
  return isUnseen || recordedEnd(answer?.header.location) !== null;
}

const recordedEnd = (location = ''): 'code' | 'error' | null =>
  (/[?&](code|error)=/.exec(location)?.[1] as 'code' | 'error' | undefined) ?? null;

/** Without the steps on pages of the emulator. */
export function addressForPerson(url: URL): string {
  const bare = new URL(url);
  for (const name of PAGE_QUERY) bare.searchParams.delete(name);
  return bare.href;
}

export async function askForEnd(ask: AskPerson, number: number, url: URL): Promise<ScaEnd | null> {
  const address = addressForPerson(url);
  let problem: string | undefined;
  for (;;) {
    const said = await ask({ number, address, ...(problem === undefined ? {} : { problem }) });
    if (said === null) return null;
    const read = readEnd(said, url.searchParams.get('state'));
    if (!('problem' in read)) return read;
    problem = read.problem;
  }
}

/** `state`: of the authorization request; null where it had none. */
export function readEnd(text: string, state: string | null): ScaEnd | { readonly problem: string } {
  const mark = text.indexOf('?');
  const query = new URLSearchParams(
    text
      .slice(mark + 1)
      .replace(/#.*$/s, '')
      .trim(),
  );
  const [code, error] = [query.get('code'), query.get('error')];
  if (!code && !error) return { problem: 'it contains neither code nor error' };
  if (query.get('state') !== state)
    return { problem: 'its state differs: it belongs to another authorisation' };
  return code ? { code } : { error: error ?? '' };
}

export function compareEnds({ answer }: Exchange, now: ScaEnd): Difference[] {
  const was = recordedEnd(answer?.header.location);
  const is = 'code' in now ? 'code' : 'error';
  if (was === null || was === is) return [];
  const text = 'error' in now ? `error ${now.error}` : 'a code';
  return [
    {
      class: 'breaking',
      what: 'gone',
      place: `header location ?${was}`,
      was: `a redirect with ${was}`,
      now: text,
    },
  ];
}
