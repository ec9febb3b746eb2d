/** SCA and access in an OpenAPI document: steps, links, approaches, tokens, kinds of access. */
import { isObject } from '../../exchange/index.js';
import { type BankProfile, consentAccess, operationRow, resourceCreatedBy } from '../../spec/index.js';
import type { OpenApiDocument } from './openapi-document.js';
import { parametersOf } from './openapi-headers.js';
import type { FoundOperation } from './openapi-paths.js';
import { contentOf, membersIn, oneLine, textAt, textsOf } from './openapi-schemas.js';

/** Takes what the document does not tell. */
export type Say = (text: string) => void;

/** Members of the body of a PUT, and what they are sent for. */
const STEPS = {
  psuData: 'authentication',
  authenticationMethodId: 'selection',
  scaAuthenticationData: 'authorisation',
  confirmationCode: 'confirmation',
} as const;

export function proposeSca(
  document: OpenApiDocument,
  found: readonly FoundOperation[],
  say: Say,
): BankProfile['sca'] {
  const updates = found.filter(({ id }) => id.endsWith('.update'));
  const sent = new Set(
    updates.flatMap(({ operation }) =>
      contentOf(document, document.at(operation, 'requestBody')).flatMap(([, schema]) => [
        ...membersIn(document, schema).keys(),
      ]),
    ),
  );
  const steps = Object.entries(STEPS).flatMap(([member, step]) => (sent.has(member) ? [step] : []));
  const links = new Set(found.flatMap((one) => linksOf(document, one)));
  const named = (...patterns: RegExp[]) =>
    [...links].filter((link) => patterns.some((one) => one.test(link)));
  const implicit = named(/^sca(?:Redirect|OAuth)$/, /^updatePsu/);
  const explicit = named(/^startAuthorisation/);
  const header = document.at(document.root, 'components', 'headers', 'ASPSP-SCA-Approach', 'schema', 'enum');
  const stated = textsOf(header).map((one) => one.toLowerCase());
  const headers = new Set(
    found.flatMap((one) => parametersOf(document, one).map(({ name }) => name.toLowerCase())),
  );
  const isAllowed = {
    oauth: links.has('scaOAuth'),
    redirect:
      links.has('scaRedirect') || stated.includes('redirect') || headers.has('tpp-redirect-preferred'),
    decoupled: stated.includes('decoupled') || headers.has('tpp-decoupled-preferred'),
    embedded: stated.includes('embedded') || steps.some((step) => step !== 'confirmation'),
  };
  const approaches = (['oauth', 'redirect', 'decoupled', 'embedded'] as const).filter(
    (one) => isAllowed[one],
  );
  const allowed = approaches.length === 0 ? '' : `; it allows ${approaches.join(', ')}`;
  if (approaches.length !== 1) say(`Which SCA approaches the bank uses${allowed}.`);
  if (links.size === 0) say('Which links an answer has, and which of them lead to the SCA (sca.links).');
  if (approaches.includes('embedded')) say('Which SCA methods PSUs have (sca.methods).');
  return {
    ...(approaches.length === 0 ? {} : { approaches }),
    ...(steps.length === 0 ? {} : { steps }),
    links: {
      ...(implicit.length === 0 ? {} : { implicit }),
      ...(explicit.length === 0 ? {} : { explicit }),
    },
  };
}

/** Names of the links in the answer of a creation. */
function linksOf(document: OpenApiDocument, { id, operation }: FoundOperation): string[] {
  if (operationRow(id).creates === null) return [];
  return contentOf(document, document.at(operation, 'responses', '201')).flatMap(([, schema]) => [
    ...membersIn(document, membersIn(document, schema).get('_links')).keys(),
  ]);
}

const STANDARD_ACCESS = new Set([...Object.keys(consentAccess.shape), 'restrictedTo']);

export function proposeAccess(
  document: OpenApiDocument,
  found: readonly FoundOperation[],
  say: Say,
): BankProfile['access'] {
  const demands = new Set(
    found.filter(({ id }) => id.startsWith('accounts.')).map((one) => bearerOf(document, one)),
  );
  const [bearer] = demands;
  if (demands.size > 1 || bearer === 'optional') say('Whether reads need an access token (access.bearer).');
  const asked = found.find(({ id }) => resourceCreatedBy(id) === 'consent');
  const bodies = contentOf(document, document.at(asked?.operation, 'requestBody'));
  const kinds = bodies.flatMap(([, schema]) => [
    ...membersIn(document, membersIn(document, schema).get('access')).keys(),
  ]);
  const further = [...new Set(kinds)].filter((kind) => !STANDARD_ACCESS.has(kind) && kind !== '');
  return {
    ...(bearer === undefined ? {} : { bearer: demands.size > 1 ? 'optional' : bearer }),
    ...(further.length === 0 ? {} : { kinds: further.slice(0, 100).map((kind) => oneLine(kind, 60)) }),
  };
}

function bearerOf(document: OpenApiDocument, one: FoundOperation): 'required' | 'optional' | 'none' {
  const given = document.at(one.operation, 'security') ?? document.at(document.root, 'security');
  const choices = (Array.isArray(given) ? given.slice(0, 100) : []).map((choice) =>
    Object.keys(isObject(choice) ? choice : {}).some((name) => isTokenScheme(document, name)),
  );
  const header = parametersOf(document, one).find(({ name }) => name.toLowerCase() === 'authorization');
  if (choices.includes(true)) return choices.includes(false) ? 'optional' : 'required';
  if (header === undefined) return 'none';
  return header.required ? 'required' : 'optional';
}

function isTokenScheme({ at, root }: OpenApiDocument, name: string): boolean {
  const scheme = at(root, 'components', 'securitySchemes', name);
  const type = textAt(at(scheme, 'type'));
  return (
    type === 'oauth2' || type === 'openIdConnect' || textAt(at(scheme, 'scheme')).toLowerCase() === 'bearer'
  );
}
