/** Asks the gateway’s API, and has it do things. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Nothing answered, or the gateway failed: it may be starting again, or its store be away for a moment. */
export class Unavailable extends Error {}

type Query = Readonly<Record<string, string | number | null | undefined>>;

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Rejects with an Error whose message is the API's sentence. */
export async function get<T>(path: string, query?: Query): Promise<T> {
  return (await asked(withQuery(path, query), {})).json() as Promise<T>;
}

export async function getText(path: string, query?: Query): Promise<string> {
  return (await asked(withQuery(path, query), {})).text();
}

export type Method = 'POST' | 'PUT' | 'DELETE';

/** Every action is JSON, with or without a body. */
export async function act<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return (await send(method, path, body)).json() as Promise<T>;
}

/** Has a file made, and saves it. */
export async function download(path: string, file: string, body: unknown): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await (await send('POST', path, body)).blob());
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

function send(method: Method, path: string, body: unknown): Promise<Response> {
  const init: RequestInit = { method, headers: { 'Content-Type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  return asked(path, init);
}

async function asked(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, init).catch(() => {
    throw new Unavailable('The gateway does not answer.');
  });
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({ error: `It was answered ${answer.status}.` }));
  throw new (answer.status >= 500 ? Unavailable : Error)(String(error));
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type Asked<T> = ReturnType<typeof useAsked<T>>;

/** Asked again whenever path or query differ. */
export const useGet = <T>(path: string, query?: Query) =>
  useAsked(withQuery(path, query), () => get<T>(path, query));

export function useAsked<T>(key: string, ask: () => Promise<T>) {
  const [state, setState] = useState<{ key: string; value?: T; problem: string | null }>({
    key,
    problem: null,
  });
  const latest = useRef(0);
  const again = useCallback(() => {
    latest.current += 1;
    const mine = latest.current;
    const isLatest = () => mine === latest.current;
    ask().then(
      (value) => isLatest() && setState({ key, value, problem: null }),
      (error) => isLatest() && setState({ key, problem: messageOf(error) }),
    );
  }, [key]);
  useEffect(() => {
    again();
    return () => {
      latest.current += 1;
    };
  }, [key]);
  return { value: state.key === key ? state.value : undefined, problem: state.problem, again };
}
