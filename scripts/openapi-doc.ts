/** The interface as files: an OpenAPI document, and a Postman collection that calls each operation once. */
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { readSandboxData } from '../src/answer/index.js';
import { interfaceDocument } from '../src/app/openapi/interface-document.js';
import { dialectOf } from '../src/spec/index.js';

const URLS = { baseUrl: 'https://localhost:8443', psuUrl: 'https://localhost:8444' } as const;

/** Generated pages stay the same from day to day; the collection sets dates as it runs. */
const interfaceOf = () =>
  interfaceDocument(dialectOf(), {
    data: readSandboxData('data/sandbox'),
    now: Date.parse('2026-12-01T12:00:00Z'),
    psuUrl: URLS.psuUrl,
  });

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

export const openApiDoc = (): string => jsonText(interfaceOf());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Set anew for each call, so that the collection runs on any day. */
const SCRIPT = [
  'const day = (days) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);',
  "pm.variables.set('dateFrom', day(-30));",
  "pm.variables.set('validUntil', day(45));",
];
const IN_SCRIPTS: Readonly<Record<string, string>> = {
  dateFrom: '{{dateFrom}}',
  'X-Request-ID': '{{$guid}}',
  scenario: 'SCA_OK',
};
/** Where `sandgate serve` puts the test certificate of a TPP. */
const CERTIFICATE = {
  name: 'Test QWAC of a TPP',
  matches: Object.values(URLS).map((url) => `${url}/*`),
  key: { src: 'certs/tpp.key' },
  cert: { src: 'certs/tpp.pem' },
};

const givenFor = ({ name, example, examples = {} }: Parameter): string | undefined => {
  const value = IN_SCRIPTS[name] ?? example ?? Object.keys(examples)[0];
  return value === undefined ? undefined : String(value);
};

export function collectionDoc(): string {
  const { info, paths = {} } = interfaceOf();
  const items = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, ZodOpenApiOperationObject>).map(([method, operation]) => ({
      group: operation.tags?.[0] ?? '',
      item: itemOf(method, path, operation),
    })),
  );
  const groups = [...new Set(items.map(({ group }) => group))];
  return jsonText({
    info: {
      name: info.title,
      description:
        'Each operation of the sandbox bank once, with its fixed ids. Import it, add certs/ca.pem as a CA, and set the client certificate certs/tpp.pem with the key certs/tpp.key for both addresses.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      ...Object.entries(URLS),
      ['notificationUri', 'https://tpp.example/notifications'],
      ['accessToken', ''],
    ].map(([key, value]) => ({ key, value })),
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: SCRIPT } }],
    item: groups.map((name) => ({
      name,
      item: items.filter(({ group }) => group === name).map(({ item }) => item),
    })),
  });
}

function itemOf(method: string, path: string, operation: ZodOpenApiOperationObject) {
  const parameters = (operation.parameters ?? []) as readonly Parameter[];
  const isForBrowser = operation.servers !== undefined;
  const given = (where: string) =>
    parameters.flatMap((parameter) => {
      const value = parameter.in === where ? givenFor(parameter) : undefined;
      return value === undefined ? [] : [{ key: parameter.name, value }];
    });
  const url = `{{${isForBrowser ? 'psuUrl' : 'baseUrl'}}}${given('path').reduce((text, { key, value }) => text.replace(`{${key}}`, value), path)}`;
  const query = given('query');
  const successes = Object.keys(operation.responses ?? {}).filter((status) => Number(status) < 400);
  const isToken = operation.operationId === 'oauthToken';
  return {
    name: operation.summary,
    event: [
      {
        listen: 'test',
        script: {
          type: 'text/javascript',
          exec: [
            `pm.test('succeeds', () => pm.expect(pm.response.code).to.be.oneOf([${successes.join(', ')}]));`,
            ...(isToken
              ? ["pm.collectionVariables.set('accessToken', pm.response.json().access_token);"]
              : []),
          ],
        },
      },
    ],
    protocolProfileBehavior: { followRedirects: false },
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(isForBrowser ? {} : { certificate: CERTIFICATE }),
      header: [
        ...given('header'),
        ...(asksForToken(operation) ? [{ key: 'Authorization', value: 'Bearer {{accessToken}}' }] : []),
      ],
      url: {
        raw:
          query.length === 0 ? url : `${url}?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`,
        host: [url.slice(0, url.indexOf('}}') + 2)],
        path: url.slice(url.indexOf('}}') + 3).split('/'),
        query,
      },
      ...bodyOf(operation),
    },
  };
}

/** Not where a call may do without. */
const asksForToken = ({ security = [] }: ZodOpenApiOperationObject): boolean =>
  security.length > 0 && security.every((one) => 'token' in one);

const BODY_IN_SCRIPTS = { validUntil: '{{validUntil}}', tppNotificationUri: '{{notificationUri}}' } as const;

function bodyOf({ requestBody }: ZodOpenApiOperationObject) {
  if (requestBody === undefined || !('content' in requestBody)) return {};
  const [[media, shown] = []] = Object.entries(requestBody.content);
  const example: unknown = shown?.example;
  if (media === undefined || typeof example !== 'object' || example === null) return {};
  if (media.endsWith('form-urlencoded'))
    return {
      body: {
        mode: 'urlencoded',
        urlencoded: Object.entries(example).map(([key, value]) => ({ key, value, type: 'text' })),
      },
    };
  const sent = Object.fromEntries(
    Object.entries({ ...example, ...BODY_IN_SCRIPTS }).filter(([name]) => name in example),
  );
  return {
    body: { mode: 'raw', raw: JSON.stringify(sent, null, 2), options: { raw: { language: 'json' } } },
  };
}
