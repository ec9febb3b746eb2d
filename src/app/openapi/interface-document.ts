/** The PSD2 interface of a bank as OpenAPI 3.1, made of the tables by which its calls are recognised and judged. */
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import {
  account,
  accountList,
  accountReference,
  authorisation,
  authorisationCreation,
  authorisationList,
  balances,
  consent,
  consentRequest,
  crossBorderPaymentRequest,
  type Dialect,
  EVERY_OPERATION_ID,
  type OperationId,
  type OperationRow,
  operationRow,
  payment,
  paymentRequest,
  tppMessages,
  transactions,
} from '../../spec/index.js';
import type { Shown } from './examples.js';
import { parametersOf } from './parameters.js';
import { requestBodyOf } from './request-body.js';
import { responsesOf } from './responses.js';

/** The document of the interface that a dialect speaks. */
export function interfaceDocument(dialect: Dialect, shown: Shown): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const id of EVERY_OPERATION_ID) {
    if (!dialect.offers(id)) continue;
    const path = pathOf(dialect, id);
    paths[path] = {
      ...paths[path],
      [operationRow(id).method.toLowerCase()]: operationOf(id, path, dialect, shown),
    };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: dialect.profile?.title ?? 'PSD2 access to account and payment initiation',
      version: dialect.profile?.standard ?? 'v1',
      description:
        'Each call needs a client certificate (QWAC) with the role that its description names. Headers, values and formats beyond these schemas are in docs/rules.md of Sandgate.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...new Set(
        Object.values(paths)
          .flatMap((item) => Object.values(item))
          .flatMap(({ tags = [] }) => tags),
      ),
    ].map((name) => ({ name })),
    security: [{ qwac: [] }],
    paths,
    components: {
      schemas: {
        ConsentRequest: consentRequest,
        PaymentRequest: paymentRequest,
        CrossBorderPaymentRequest: crossBorderPaymentRequest,
        Consent: consent,
        AccountList: accountList,
        Account: account,
        Balances: balances,
        Transactions: transactions,
        Payment: payment,
        AuthorisationCreation: authorisationCreation,
        Authorisation: authorisation,
        AuthorisationList: authorisationList,
        AccountReference: accountReference,
        TppMessages: tppMessages,
      },
      securitySchemes: {
        qwac: { type: 'mutualTLS', description: 'A PSD2 QWAC (ETSI TS 119 495).' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of the consent or payment.',
        },
      },
    },
  });
}

const pathOf = (dialect: Dialect, id: OperationId): string => dialect.pathOf(id, parameterNames(dialect, id));

/** Each parameter of a path as itself in braces; what the profile fixes is in place already. */
const parameterNames = (dialect: Dialect, id: OperationId): Readonly<Record<string, string>> => {
  const fixed = dialect.profile?.paths?.values ?? {};
  const names = [...(dialect.templates.get(id) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.filter((name) => !Object.hasOwn(fixed, name)).map((name) => [name, `{${name}}`]),
  );
};

function operationOf(
  id: OperationId,
  path: string,
  dialect: Dialect,
  shown: Shown,
): ZodOpenApiOperationObject {
  const row = operationRow(id);
  const body = requestBodyOf(id, row, dialect, shown);
  const bearer = bearerOf(row, dialect);
  return {
    operationId: id.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [row.group],
    summary: row.summary,
    description: `${whoMay(row)}${row.counted ? ' It counts for the daily limit unless it carries PSU-IP-Address.' : ''}`,
    ...(row.listener === 'psu'
      ? { servers: [{ url: shown.psuUrl }], security: [] }
      : bearer === 'none'
        ? {}
        : { security: [{ qwac: [], token: [] }, ...(bearer === 'optional' ? [{ qwac: [] }] : [])] }),
    parameters: parametersOf(id, row, path, dialect),
    ...(body === null ? {} : { requestBody: body }),
    responses: responsesOf(id, row),
  };
}

const whoMay = ({ role, listener }: OperationRow): string =>
  listener === 'psu'
    ? "For the PSU's browser: no client certificate."
    : role === 'any'
      ? 'Any PSD2 role but PSP_AS alone.'
      : `Role ${role}.`;

function bearerOf({ group, on }: OperationRow, dialect: Dialect): Dialect['bearer'] {
  if (group === 'accounts') return dialect.bearer;
  return (group === 'payments' || group === 'consents') && (dialect.isTokenFirst || on !== null)
    ? 'optional'
    : 'none';
}
