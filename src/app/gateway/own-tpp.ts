/** A TPP of the gateway's own: with a test certificate, over real TLS, it calls the gateway's own listeners and nobody else. */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { type Answer, divideLink, type HeaderList, linkOf, textMember } from '../../exchange/index.js';
import {
  type Dialect,
  type OperationId,
  SANDBOX,
  SandgateError,
  type Scope,
  scaLinkForm,
} from '../../spec/index.js';
import type { Certificates } from '../certificates/ensure.js';
import { readPair } from '../certificates/files.js';
import {
  createSender,
  type Identity,
  type Outgoing,
  type Sender,
  type SenderParts,
} from '../rerun/sender.js';
import { CONSENT, RETURN_TO } from './first-calls.js';

export const WITH_PSU: HeaderList = [['PSU-IP-Address', '192.0.2.1']];

const TIMEOUT_MS = 30_000;

/** Close it after use. `mark`: see `ownCallHeader`. */
export const openOwnSender = (
  { caPem }: Pick<Certificates, 'caPem'>,
  { signal, mark }: Pick<SenderParts, 'signal' | 'mark'>,
): Sender => createSender({ ca: [caPem], timeout: TIMEOUT_MS, signal, isOwn: true, mark });

/** The test certificate of who makes journeys. */
export const OWN_TPP = 'tpp';

/** A certificate of the folder, with its key. */
export async function identityNamed(
  { dir }: Pick<Certificates, 'dir'>,
  name: string,
  organisation: Identity['organisation'] = null,
): Promise<Identity> {
  const pair = await readPair(dir, name);
  if (pair === null) throw new SandgateError('resend.no-certificate', { name: name.slice(0, 100) });
  return { name, organisation, ...pair };
}

interface OwnTppParts {
  readonly sender: Sender;
  readonly urls: { readonly api: string; readonly psu: string };
  readonly dialect: Dialect;
  readonly identity: Identity;
  /** Sent with each call, such as the name of a session. */
  readonly headers?: HeaderList;
}

export interface Agreed {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export type OwnTpp = ReturnType<typeof createOwnTpp>;

export function createOwnTpp({ sender, urls, dialect, identity, headers: always = [] }: OwnTppParts) {
  /** Ids of the exchanges so far, the oldest first. */
  const made: string[] = [];
  const send = async (wanted: Partial<Outgoing> & Pick<Outgoing, 'url'>): Promise<Answer> => {
    const { headers = [], ...rest } = wanted;
    const received = await sender.send({
      ...{ method: 'GET', body: null, identity, repeatable: false, ...rest },
      headers: [['X-Request-ID', randomUUID()], ...always, ...headers],
    });
    if ('problem' in received) throw new SandgateError('resend.unanswered', { why: received.problem });
    const exchange = received.answer.header['sandgate-exchange'];
    if (exchange !== undefined) made.push(exchange);
    return received.answer;
  };
  const at = (id: OperationId, params: Readonly<Record<string, string>> = {}): URL =>
    new URL(urls.api + dialect.pathOf(id, params));
  /** Others may reach the listeners by another name. */
  const here = (link: string, site: string): URL => {
    const { pathname, search } = new URL(link);
    return new URL(pathname + search, site);
  };
  const post = (url: URL, type: string, body: string, headers: HeaderList = []) =>
    send({
      ...{ method: 'POST', url, body: Buffer.from(body) },
      headers: [['Content-Type', type], ...headers],
    });
  const token = (fields: Readonly<Record<string, string>>): Promise<Answer> => {
    const form = new URLSearchParams({ client_id: SANDBOX.clientId, ...fields });
    return post(at('oauth.token'), 'application/x-www-form-urlencoded', form.toString());
  };
  /** The PSU agrees, without a page; gives the code and its verifier, or the answer that ended the way there. */
  const agree = async (scope: Scope, link: string, redirectUri = RETURN_TO): Promise<Agreed | Answer> => {
    const found = scaLinkForm(link) === 'direct' ? null : await send({ url: here(link, urls.api) });
    const endpoint = found === null ? link : textMember(found.content, 'authorization_endpoint');
    if (found !== null && endpoint === undefined) return found;
    const verifier = randomBytes(32).toString('base64url');
    const url = here(endpoint ?? link, urls.psu);
    const asked = {
      ...{ response_type: 'code', client_id: SANDBOX.clientId, redirect_uri: redirectUri },
      ...{ scope: dialect.writeScope(scope), state: randomUUID(), scenario: 'SCA_OK' },
      ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    const end = await send({ url, identity: null });
    const code = divideLink(end.header.location ?? '').parameters.get('code');
    return code === undefined ? end : { code, verifier, redirectUri };
  };
  const exchange = ({ code, verifier, redirectUri }: Agreed): Promise<Answer> =>
    token({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      redirect_uri: redirectUri,
    });
  return {
    ...{ made, send, at, agree, exchange },
    create: (id: OperationId, params: Readonly<Record<string, string>>, body: object) =>
      post(at(id, params), 'application/json', JSON.stringify(body), [
        ['TPP-Redirect-URI', RETURN_TO],
        ...WITH_PSU,
      ]),
    /** Gives the answer with the token, or the one that ended the way there. */
    authorise: async (scope: Scope, link: string, redirectUri?: string): Promise<Answer> => {
      const agreed = await agree(scope, link, redirectUri);
      return 'code' in agreed ? exchange(agreed) : agreed;
    },
    token,
    /** `psu`: what is sent where the PSU is there. */
    accounts: (bearer: string, consent: string, psu: HeaderList = WITH_PSU) =>
      send({
        url: at('accounts.list'),
        headers: [['Authorization', `Bearer ${bearer}`], ['Consent-Id', consent], ...psu],
      }),
  };
}

/** Consent, authorisation by its PSU, token, accounts; ends early where an answer does not lead on. */
export async function makeJourney(tpp: OwnTpp): Promise<readonly string[]> {
  const { content } = await tpp.create('consents.create', {}, CONSENT);
  const [id, link] = [textMember(content, 'consentId'), linkOf(content, 'scaOAuth')];
  if (id === undefined || link === undefined) return tpp.made;
  const token = textMember((await tpp.authorise({ service: 'AIS', id }, link)).content, 'access_token');
  if (token !== undefined) await tpp.accounts(token, id);
  return tpp.made;
}
