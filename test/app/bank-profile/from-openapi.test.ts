/** Profiles that are proposed out of OpenAPI documents: what they say, and what they leave open. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proposeProfile, readOpenApi } from '../../../src/app/bank-profile/index.js';
import { bankProfile, profileProblems } from '../../../src/spec/index.js';
import { processorTime } from '../../processor-time.js';

const header = (name: string, required = true) => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string' },
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const object = (properties: object) => ({ type: 'object', properties });

/** A small bank with a base of its own, references, combinations and things beside the standard. */
const BANK = {
  openapi: '3.0.3',
  info: { title: 'Test Bank: XS2A', version: '1.3.8_2020-11-06', description: 'Of a test.' },
  servers: [{ url: 'https://api.bank.example/psd2/{brand}/', variables: { brand: { default: 'one' } } }],
  paths: {
    '/v1/consents': {
      parameters: [{ $ref: '#/components/parameters/psu' }],
      post: {
        parameters: [header('PSU-IP-Address'), header('Digest')],
        requestBody: json(object({ access: { $ref: '#/components/schemas/access' } })),
        responses: {
          201: json(object({ _links: object({ scaRedirect: {}, startAuthorisation: {}, self: {} }) })),
        },
      },
    },
    '/v1/consents/{consent-id}': { get: {}, delete: {} },
    '/v1/consents/{consent-id}/authorisations/{authorisation-id}': {
      get: {},
      put: {
        requestBody: json({
          oneOf: [
            object({ psuData: {} }),
            { allOf: [object({ scaAuthenticationData: {} })] },
            { $ref: '#/components/schemas/circle' },
          ],
        }),
      },
    },
    '/v1/accounts': { get: { parameters: [header('PSU-IP-Address'), header('X-Request-ID')] } },
    '/v1/accounts/{id}/balances': { get: { parameters: [header('psu-ip-address')] } },
    '/v1/{payment-service}/{payment-product}': {
      post: {
        parameters: [
          { name: 'payment-service', in: 'path', schema: { enum: ['payments', 'periodic-payments'] } },
          { name: 'payment-product', in: 'path', schema: { $ref: '#/components/schemas/product' } },
        ],
        requestBody: {
          content: { 'application/json': {}, 'application/xml': {}, 'multipart/form-data': {} },
        },
      },
    },
    '/v2/{payment-service}/{payment-product}/{paymentId}/status': { get: {} },
    '/v1/card-accounts/{account-id}': { get: { summary: 'Reads a\n card account' } },
    '/odd path': { get: {} },
  },
  components: {
    parameters: { psu: header('PSU-ID') },
    schemas: {
      access: object({ accounts: {}, allPsd2: {}, cards: {} }),
      product: { enum: ['sepa-credit-transfers', 'pain.001-target-2-payments'] },
      consentStatus: { enum: ['received', 'valid', 'suspendedByASPSP'] },
      statusAnswer: object({ transactionStatus: { enum: ['RCVD', 'ACTV'] } }),
      circle: { $ref: '#/components/schemas/circle' },
    },
    securitySchemes: {
      login: {
        type: 'oauth2',
        flows: {
          authorizationCode: { authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/token' },
        },
      },
    },
  },
  security: [{ login: [] }],
};

const proposal = async (document: object) =>
  proposeProfile(await readOpenApi(JSON.stringify(document), 'bank.json'), 'bank.json', '2026-11-24');

describe('a proposal', () => {
  it('has what the document says, and is a valid profile', async () => {
    const { profile } = await proposal(BANK);
    expect(profile).toEqual({
      name: 'test-bank-xs2a',
      title: 'Test Bank: XS2A',
      standard: 'Berlin Group 1.3.8',
      date: '2026-11-24',
      sources: [
        {
          where: 'bank.json',
          tells: 'All of this: proposed out of the OpenAPI document, version 1.3.8_2020-11-06.',
        },
      ],
      paths: {
        base: '/psd2/one',
        version: 'v1',
        operations: {
          'payments.status': '/psd2/one/v2/{paymentService}/{paymentProduct}/{paymentId}/status',
          'consents.status': null,
          'consents.authorisations.create': null,
          'consents.authorisations.list': null,
          'accounts.read': null,
          'accounts.transactions': null,
          'payments.read': null,
          'payments.cancel': null,
          'payments.authorisations.create': null,
          'payments.authorisations.list': null,
          'payments.authorisations.read': null,
          'payments.cancellation-authorisations.list': null,
          'payments.cancellation-authorisations.read': null,
          'notifications.simulate': null,
          'oauth.token': '/token',
        },
        offers: ['consents.authorisations.update'],
        further: [
          { path: '/psd2/one/v1/card-accounts/{accountId}', methods: ['GET'], says: 'Reads a card account' },
        ],
      },
      services: {
        payments: {
          'sepa-credit-transfers': { like: 'SCT' },
          'pain.001-target-2-payments': { like: 'CBP', media: ['application/xml'] },
        },
        'periodic-payments': {
          'sepa-credit-transfers': { like: 'SCT' },
          'pain.001-target-2-payments': { like: 'CBP', media: ['multipart/form-data'] },
        },
      },
      sca: {
        approaches: ['redirect', 'embedded'],
        steps: ['authentication', 'authorisation'],
        links: { implicit: ['scaRedirect'], explicit: ['startAuthorisation'] },
      },
      access: { bearer: 'required', kinds: ['cards'] },
      headers: {
        required: {
          'PSU-ID': ['consents.create'],
          'PSU-IP-Address': ['consents.create', 'accounts.*'],
        },
        optional: {
          'PSU-IP-Address': ['payments.create'],
          'TPP-Redirect-URI': ['consents.create', 'payments.create'],
        },
        digest: 'required',
        signature: 'none',
      },
      statuses: { consentStatus: ['suspendedByASPSP'], transactionStatus: ['ACTV'] },
    });
  });

  it('lists what it could not tell', async () => {
    const { unknown } = await proposal(BANK);
    expect(unknown.map((text) => text.split(/[:;(]/, 1)[0]?.trim())).toEqual([
      'What to do with the paths /psd2/one/odd path.',
      'Which products take other accounts than IBANs',
      'Which SCA approaches the bank uses',
      'Which SCA methods PSUs have',
      'It has nothing about funds-confirmations',
      'How accesses are counted, and how many are allowed',
      'Which of the optional members of bodies the bank requires',
      'Where the bank departs from its own document',
    ]);
  });

  it.each<[string, object, object, string]>([
    [
      'a base by service',
      {
        '/ais/v1/accounts': { get: {} },
        '/ais/v1/accounts/{a}': { get: {} },
        '/pis/v1/payments/sct': { post: {} },
      },
      { base: '/ais', bases: { payments: '/pis' } },
      'Which products take',
    ],
    [
      'a base with a parameter',
      {
        '/{bank}/v1/accounts': {
          get: { parameters: [{ name: 'bank', in: 'path', schema: { example: 'a1' } }] },
        },
      },
      { base: '/{bank}', values: { bank: 'a1' } },
      'Which values {bank}',
    ],
    [
      'no version',
      { '/accounts': { get: {} } },
      { base: '', version: '' },
      'The base of its paths: it names no server.',
    ],
  ])('finds %s', async (_, paths, expected, open) => {
    const { profile, unknown } = await proposal({ openapi: '3.1.0', info: {}, paths });
    expect(profile.paths).toMatchObject(expected);
    expect(unknown.join('\n')).toContain(open);
  });

  it('says which reference to another document it did not read', async () => {
    const { unknown } = await proposal({
      ...BANK,
      paths: { '/v1/accounts': { $ref: 'https://elsewhere.example/a.json' } },
    });
    expect(unknown).toContain('It refers to https://elsewhere.example/a.json, which was not read.');
  });

  it('leaves out a part that would not be valid, and says so', async () => {
    const paths = {
      '/v1/accounts': { get: {} },
      '/v1/accounts/{a}': { get: {} },
      '/v1/accounts/{consentId}/{consentId}': { get: {} },
    };
    const { profile } = await proposal({
      openapi: '3.0.0',
      info: { title: '???' },
      servers: [{ url: '/{accountId}' }],
      paths,
    });
    expect(profile.name).toBe('proposed');
    expect(profile.paths).toBeUndefined();
  });
});

describe('a document', () => {
  it('may be YAML', async () => {
    const document = await readOpenApi(
      'openapi: 3.0.1\ninfo:\n  title: A bank\npaths:\n  /v1/accounts:\n    get: {}\n',
      'a.yaml',
    );
    expect(proposeProfile(document, 'a.yaml', '2026-11-24').profile).toMatchObject({ name: 'a-bank' });
  });

  it.each<[string, string, string]>([
    [
      'is neither JSON nor YAML',
      'openapi: 3.0.1\npaths:\n\t- [',
      'a.yaml is neither JSON nor YAML: line 3, column 1 cannot be read',
    ],
    ['is broken JSON', '{ "openapi": }', 'a.yaml is not JSON: line 1, column 14 cannot be read'],
    ['is empty', '', 'a.yaml is no OpenAPI 3 document: it has no member openapi: 3.x'],
    [
      'is Swagger 2',
      '{ "swagger": "2.0" }',
      'a.yaml is no OpenAPI 3 document: it is Swagger 2; convert it first',
    ],
    [
      'repeats itself without end',
      `openapi: 3.0.1\na0: &a0 [x, x]\n${Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}]`).join('\n')}`,
      'it is nested too deeply, or repeats itself',
    ],
    ['is nested without end', `openapi: 3.0.1\na: ${'['.repeat(100_000)}`, 'a.yaml is '],
    ['is too large', ' '.repeat(8 * 1024 * 1024 + 1), 'a.yaml is larger than 8 MiB'],
  ])('that %s is refused', async (_, text, message) => {
    await expect(readOpenApi(text, 'a.yaml')).rejects.toThrow(message);
  });

  it('of any form gives a valid profile', async () => {
    const words = fc.constantFrom(
      'paths',
      'components',
      'schemas',
      '$ref',
      'get',
      'post',
      'parameters',
      'name',
      'in',
      'schema',
      'enum',
      'properties',
      'oneOf',
      'servers',
      'url',
      'info',
      'title',
      'security',
      '/v1/accounts',
      '/v1/payments/{p}',
      '/{a}/v1/consents',
      '#/components',
      '#/paths',
      'header',
      '__proto__',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        words,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(words, tie('value'), { maxKeys: 6 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(words, value, { maxKeys: 6 }), async (document) => {
        const { profile } = await proposal({ ...document, openapi: '3.0.0' });
        expect(profileProblems(bankProfile.parse(profile))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('of any text for its title, paths and headers gives a valid profile', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (title, path, name) => {
        const get = { parameters: [header(name)], summary: title };
        const { profile } = await proposal({
          ...{ openapi: '3.0.0', info: { title, version: name } },
          ...{ servers: [{ url: path }], paths: { '/v1/accounts': { get }, [path]: { get } } },
          components: { schemas: { scaStatus: { enum: [title, name] } } },
        });
        expect(profileProblems(bankProfile.parse(profile))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, object]>([
    ['a path of many open braces', { paths: { [`/${'{'.repeat(500_000)}`]: { get: {} } } }],
    [
      'schemas of which each combines many others',
      {
        components: {
          schemas: Object.fromEntries(
            Array.from({ length: 600 }, (_, i) => [
              `s${i}`,
              {
                allOf: Array.from({ length: 90 }, (_, k) => ({
                  $ref: `#/components/schemas/s${(i * 7 + k * 13) % 600}`,
                })),
              },
            ]),
          ),
        },
      },
    ],
  ])('of %s is read in a few seconds', async (_, document) => {
    const before = processorTime();
    await proposal({ openapi: '3.0.0', ...document });
    expect(processorTime() - before).toBeLessThan(8_000);
  });
});
