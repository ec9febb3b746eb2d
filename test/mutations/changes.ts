/** What a mutation changes at one step of a journey, as data, and how it is carried out. */
import { returningTo, type Step } from './journeys.js';

/** null takes it away; a list sends it several times. */
type Values = string | null | readonly string[];

export type Change =
  | { readonly header: string; readonly to: Values }
  | { readonly query: string; readonly to: Values; readonly late?: number }
  | { readonly form: string; readonly to: Values; readonly cert?: string }
  /** A member of the JSON body by its path; without `to` it is taken out. */
  | { readonly json: string; readonly to?: unknown }
  /** The body as it stands, instead of a form or JSON; empty: none. */
  | { readonly body: string; readonly type?: string }
  | { readonly url: string }
  | { readonly method: string; readonly url?: string }
  /** Another certificate; null: none. */
  | { readonly cert: string | null }
  /** The step is left out; `knows` is what the client goes on with instead. */
  | { readonly skip: true; readonly knows?: Readonly<Record<string, string>> }
  /** The step is made so often, with a pause in ms between (two seconds where absent). */
  | { readonly repeat: number; readonly every?: number }
  /** The step is made later: after the one of that name. */
  | { readonly after: string }
  /** The clock is moved on by so many ms before the step. */
  | { readonly late: number }
  /** The PSU is to come back to another address, in this step and all others. */
  | { readonly returnTo: string };

/** A call as it is to be made: a step with what only a fault would send. */
export interface Sent {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly browser: boolean;
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly type: string | undefined;
  readonly cert: string | null | undefined;
  /** Ms that the clock moves on before the call. */
  readonly pause: number;
  readonly keeps: Readonly<Record<string, string>>;
}

const FORM = 'application/x-www-form-urlencoded';
/** Calls of a client that is in no hurry: payment status may be read once a second. */
const PAUSE_MS = 2_000;

function sentOf(step: Step): Sent {
  const body =
    step.form !== undefined
      ? formOf(Object.entries(step.form))
      : step.json === undefined
        ? null
        : JSON.stringify(step.json);
  return {
    name: step.name,
    method: step.method ?? 'GET',
    url: step.url,
    browser: step.browser === true,
    headers: Object.entries(step.headers ?? {}),
    query: Object.entries(step.query ?? {}),
    body,
    type: step.form !== undefined ? FORM : step.json === undefined ? undefined : 'application/json',
    cert: undefined,
    pause: PAUSE_MS,
    keeps: step.keeps ?? {},
  };
}

/** Braces stay as they are: they hold the place of what is known only later. */
export function formOf(fields: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}');
}

function put(pairs: Sent['headers'], name: string, to: Values): Sent['headers'] {
  const isSame = ([other]: readonly [string, string]) => other.toLowerCase() === name.toLowerCase();
  const values = to === null ? [] : typeof to === 'string' ? [to] : to;
  const made = values.map((value) => [name, value] as const);
  const at = pairs.findIndex(isSame);
  if (at < 0) return [...pairs, ...made];
  return pairs.flatMap((pair, i) => (i === at ? made : isSame(pair) ? [] : [pair]));
}

/** The JSON with the member at that path replaced, or taken out where `value` is undefined. */
function putMember(json: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const object = { ...(json as Record<string, unknown>) };
  const member = putMember(object[name], rest, value);
  if (member === undefined) delete object[name];
  else object[name] = member;
  return object;
}

/** Each part of the change in turn. */
function changed(step: Step, change: Change): Sent {
  let sent = sentOf(step);
  if ('header' in change) sent = withHeader(sent, change.header, change.to);
  if ('query' in change) sent = { ...sent, query: put(sent.query, change.query, change.to) };
  if ('form' in change)
    sent = { ...sent, body: formOf(put(Object.entries(step.form ?? {}), change.form, change.to)) };
  if ('json' in change) {
    const json = putMember(step.json, change.json === '' ? [] : change.json.split('.'), change.to);
    sent = { ...sent, body: JSON.stringify(json), type: 'application/json' };
  }
  if ('body' in change)
    sent = { ...sent, body: change.body === '' ? null : change.body, type: change.type ?? sent.type };
  if ('url' in change && change.url !== undefined) sent = { ...sent, url: change.url };
  if ('method' in change) sent = { ...sent, method: change.method };
  if ('cert' in change && change.cert !== undefined) sent = { ...sent, cert: change.cert };
  if ('late' in change && change.late !== undefined) sent = { ...sent, pause: change.late };
  return sent;
}

/** The media type is the client's own doing, and is kept apart. */
function withHeader(sent: Sent, name: string, to: Values): Sent {
  if (name.toLowerCase() !== 'content-type') return { ...sent, headers: put(sent.headers, name, to) };
  return { ...sent, type: typeof to === 'string' ? to : undefined };
}

/** The calls of a journey with one step changed; without a change, the journey itself. */
export function callsOf(steps: readonly Step[], at?: string, change?: Change): Sent[] {
  const index = steps.findIndex(({ name }) => name === at);
  const step = steps[index];
  if (change === undefined || at === undefined) return steps.map(sentOf);
  if (step === undefined) throw new Error(`The journey has no step “${at}”.`);
  const before = steps.slice(0, index).map(sentOf);
  const behind = steps.slice(index + 1).map(sentOf);
  if ('skip' in change) return [...before, ...behind];
  if ('returnTo' in change) return steps.map((one) => sentOf(returningTo(one, change.returnTo)));
  if ('repeat' in change) {
    const once = changed(step, change);
    const again = { ...once, pause: change.every ?? PAUSE_MS };
    return [...before, once, ...Array.from({ length: change.repeat - 1 }, () => again), ...behind];
  }
  if ('after' in change) {
    const place = behind.findIndex(({ name }) => name === change.after) + 1;
    if (place === 0) throw new Error(`No step “${change.after}” comes after “${at}”.`);
    return [...before, ...behind.slice(0, place), sentOf(step), ...behind.slice(place)];
  }
  return [...before, changed(step, change), ...behind];
}
