import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { readSandboxData } from '../../../src/answer/index.js';
import { readBankProfile } from '../../../src/app/config/bank-profile.js';
import { interfaceDocument } from '../../../src/app/openapi/interface-document.js';
import {
  dialectOf,
  EVERY_OPERATION_ID,
  operationRow,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
} from '../../../src/spec/index.js';

const shown = {
  data: readSandboxData('data/sandbox'),
  now: Date.parse('2026-11-24T12:00:00Z'),
  psuUrl: 'https://bank.example',
};
const PROFILES = [undefined, ...readdirSync('data/banks').map((file) => basename(file, '.json'))];

describe.each(PROFILES)('the document of the interface of %s', (name) => {
  const dialect = name === undefined ? dialectOf() : dialectOf(readBankProfile(name));
  const document = interfaceDocument(dialect, shown);

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('has each operation that the bank offers, under a path that the gateway recognises as it', () => {
    const offered = EVERY_OPERATION_ID.filter((id) => dialect.offers(id));
    const found = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).map((method) => {
        const known = dialect.recognise(
          method.toUpperCase(),
          path
            .replace(/\{paymentService\}/, 'payments')
            .replace(/\{paymentProduct\}/, dialect.productsOf('payments')[0] ?? 'x')
            .replace(/[{}]/g, ''),
        );
        return known.kind === 'operation' && operationRow(known.operation).method.toLowerCase() === method
          ? known.operation
          : `${method} ${path}`;
      }),
    );
    expect(found.sort()).toEqual(offered.sort());
  });
});

it('the document has every fixed id of the sandbox among its examples, each with what it gives', () => {
  const text = JSON.stringify(interfaceDocument(dialectOf(), shown));
  const ids = [
    ...Object.keys(SANDBOX_CONSENTS),
    ...SANDBOX_PAYMENTS.keys(),
    ...Object.keys(SANDBOX_AUTHORISATIONS),
  ];
  expect(ids.filter((id) => !text.includes(`"${id}":{"summary":`))).toEqual([]);
});
