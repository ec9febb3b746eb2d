/** A TPP that is ready to call: with a certificate, and the headers that every call needs. */

import { TEST_HEADER } from '../exchange/index.js';
import { readStream } from '../files/index.js';
import { answerTo } from '../outgoing/index.js';
import { SandgateError } from '../spec/index.js';
import { calledAt } from './called-at.js';
import { sealCall } from './seal-call.js';
import type { AgentOptions, TestTpp, TppAnswer, TppCall } from './types.js';

export interface TppParts {
  /** The address of the API, with segment and version. */
  readonly api: string;
  readonly agent: AgentOptions;
  readonly uuid: () => string;
  /** Each call says which line of a test made it, for annotations of a report. */
  readonly saysWhere: boolean;
}

const ANSWER_MS = 30_000;
const LONGEST = 67_108_864;
/** An address from a block reserved for documents (RFC 5737). */
const PSU_IP_ADDRESS = '192.0.2.1';
const REDIRECT_URI = 'https://tpp.example/callback';

export function createTestTpp({ api, agent: { ca, cert, key }, uuid, saysWhere }: TppParts): TestTpp {
  const whereOf = (entry: (...given: never[]) => unknown): Record<string, string> => {
    const where = saysWhere ? calledAt(entry) : null;
    return where === null ? {} : { [TEST_HEADER]: where };
  };
  const send = async (
    operation: string,
    options: TppCall,
    where: Record<string, string>,
  ): Promise<TppAnswer> => {
    const [method = '', path = ''] = operation.split(/ (.*)/s, 2);
    const url = path.startsWith('/') ? `${api}${path}` : path;
    if (!/^[A-Z]+$/.test(method) || !URL.canParse(url))
      throw new SandgateError('testing.tpp-call', { call: operation });
    const { body, headers: unsigned } = read(options, uuid());
    const { pathname, search } = new URL(url);
    const sealed = { method, target: pathname + search, headers: unsigned, body };
    const signed = options.seal === undefined ? unsigned : { ...unsigned, ...sealCall(sealed, options.seal) };
    const headers = { ...where, ...signed };
    const credentials = { ca, cert, key };
    const answer = await answerTo(
      new URL(url),
      { ...credentials, method, headers, ...(body === undefined ? {} : { body }), isOwn: true },
      AbortSignal.timeout(ANSWER_MS),
    );
    const bytes = await readStream(answer, LONGEST);
    if (bytes === null) throw new Error(`The answer to ${operation} has more than ${LONGEST} bytes.`);
    const text = bytes.toString();
    return { status: answer.statusCode ?? 0, headers: answer.headers, text, json: jsonOf(text) };
  };

  const call: TestTpp['call'] = async (operation, options = {}) => send(operation, options, whereOf(call));

  const access: TestTpp['access'] = async ({ code, error, verifier, clientId, redirectUri, scope }) => {
    const where = whereOf(access);
    const why = error ?? 'neither a code nor an error came back';
    if (code === null) throw new SandgateError('testing.tpp-access', { scope, why });
    const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri };
    const options = { form: verifier === null ? form : { ...form, code_verifier: verifier } };
    const { status, text, json } = await send('POST /token', options, where);
    if (status !== 200 || typeof json?.access_token !== 'string')
      throw new SandgateError('testing.tpp-access', { scope, why: `${status} ${text.slice(0, 500)}` });
    return { scope, token: json.access_token, refreshToken: json.refresh_token };
  };

  return { call, access };
}

function read({ json, form, headers, access }: TppCall, requestId: string) {
  const [, consent] = /^AIS:(.+)$/.exec(access?.scope ?? '') ?? [];
  const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(form).toString();
  const sent: Record<string, string | null | undefined> = {
    accept: 'application/json',
    'x-request-id': requestId,
    'psu-ip-address': PSU_IP_ADDRESS,
    // A creation needs an address to which the PSU returns.
    'tpp-redirect-uri': json === undefined ? undefined : REDIRECT_URI,
    'content-type':
      form === undefined
        ? json === undefined
          ? undefined
          : 'application/json'
        : 'application/x-www-form-urlencoded',
    authorization: access === undefined ? undefined : `Bearer ${access.token}`,
    'consent-id': consent,
  };
  for (const [name, value] of Object.entries(headers ?? {})) sent[name.toLowerCase()] = value;
  const entries = Object.entries(sent).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return { body, headers: Object.fromEntries(entries) };
}

function jsonOf(text: string): TppAnswer['json'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
