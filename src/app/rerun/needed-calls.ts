/** Finds the calls that must be sent first because others need their ids, codes and tokens. */
import { type FileRecord, queryValue } from '../../exchange/index.js';
import { type FilterTree, matches, type RecordedExchange } from '../../store/index.js';
import { valuesGivenBy } from './learn.js';
import type { FileRows } from './survey.js';
import { valuesUsedBy } from './values-used.js';

export interface CallChoice {
  /** By position. */
  readonly compared: ReadonlySet<number>;
  readonly needed: ReadonlySet<number>;
}

export async function chooseCalls(records: FileRows, only: FilterTree): Promise<CallChoice> {
  const isWanted = matches(only);
  const compared = new Set<number>();
  const needs: number[][] = [];
  const givers = new Map<string, number>();
  for await (const record of records) {
    const index = needs.length;
    if (isWanted(asRecorded(record))) compared.add(index);
    needs.push(giversOf(record, givers));
    const { answer } = record.exchange;
    if (answer !== null) for (const value of valuesGivenBy(answer)) givers.set(value, index);
    // The verifier of a token request is that of the authorization request, whatever its code is.
    const challenge = queryValue(record.exchange.call, 'code_challenge');
    if (challenge !== undefined && /[?&]code=/.test(answer?.header.location ?? ''))
      givers.set(LATEST_CODE, index);
    if (AUTHORISE_LINK.test(answer?.body?.text ?? '')) givers.set(AUTHORISE_PLACE, index);
  }
  return { compared, needed: reach(compared, needs) };
}

/** Where the PSU authorises is told by the last of these. */
const AUTHORISE_LINK = /"(?:scaOAuth|authorization_endpoint)"/;
const AUTHORISE_PLACE = ' authorise';
/** Stands for a code that was not given by an answer of the recording. */
const LATEST_CODE = ' code';

function giversOf({ exchange }: FileRecord, givers: ReadonlyMap<string, number>): number[] {
  const found = new Set<number>();
  const used = [...valuesUsedBy(exchange.call)];
  if (exchange.call.operation === 'oauth.token') used.push(LATEST_CODE);
  if (exchange.call.operation === 'oauth.authorize') used.push(AUTHORISE_PLACE);
  for (const value of used) {
    const giver = givers.get(value);
    if (giver !== undefined) found.add(giver);
  }
  return [...found];
}

function reach(from: ReadonlySet<number>, needs: readonly (readonly number[])[]): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const giver of needs[index] ?? []) {
      if (reached.has(giver)) continue;
      reached.add(giver);
      open.push(giver);
    }
  }
  return reached;
}

/** A file may hold exchanges without what was judged of them. */
function asRecorded({ exchange, verdicts = {}, findings = [] }: FileRecord): RecordedExchange {
  return { exchange, verdicts, findings };
}
