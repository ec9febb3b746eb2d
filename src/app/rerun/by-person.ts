/** Authorisations done by a person: the address to open, and what the browser came back with. */
import type { Difference, Exchange } from '../../exchange/index.js';
import { PAGE_QUERY } from '../../spec/index.js';

export interface ScaPlace {
  readonly number: number;
  readonly address: string;
  readonly problem?: string;
}

/** Gives the address that the browser was sent back to; null: the person leaves it out. */
export type AskPerson = (place: ScaPlace) => Promise<string | null>;

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
