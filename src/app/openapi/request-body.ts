/** The body of an operation's requests. */
import * as z from 'zod';
import { FORM_TYPE, JSON_TYPE } from '../../exchange/index.js';
import {
  consentRequest,
  type Dialect,
  fundsConfirmationRequest,
  type OperationId,
  type OperationRow,
  PAYMENT_REQUESTS,
  PAYMENT_SERVICES,
  simulationRequest,
} from '../../spec/index.js';
import { exampleBody, type Shown } from './examples.js';

const TOKEN_REQUEST = z.object({
  grant_type: z.enum(['authorization_code', 'refresh_token']),
  client_id: z.string(),
  code: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
});

/** null: it takes none. */
export function requestBodyOf(id: OperationId, row: OperationRow, dialect: Dialect, shown: Shown) {
  if (row.body === 'none') return null;
  const media = row.body === 'form' ? FORM_TYPE : JSON_TYPE;
  const example = exampleBody(id, shown);
  return {
    required: row.body !== 'optional-json',
    content: {
      [media]: { schema: schemaOf(id, dialect), ...(example === undefined ? {} : { example }) },
      ...(row.creates === 'payment' ? otherMedia(dialect) : {}),
    },
  };
}

function schemaOf(id: OperationId, dialect: Dialect): z.ZodType {
  switch (id) {
    case 'consents.create':
      return consentRequest;
    case 'payments.create':
      return paymentSchema(dialect);
    case 'funds-confirmations.create':
      return fundsConfirmationRequest;
    case 'notifications.simulate':
      return simulationRequest;
    case 'oauth.token':
      return TOKEN_REQUEST;
    default:
      return z.looseObject({});
  }
}

/** One of the bodies of the products that the bank offers. */
function paymentSchema(dialect: Dialect): z.ZodType {
  const schemas = PAYMENT_SERVICES.flatMap((service) =>
    dialect
      .productsOf(service)
      .map((product) => dialect.productOf(service, product)?.code)
      .flatMap((code) => (code === undefined ? [] : [PAYMENT_REQUESTS[service][code]])),
  );
  const [first = z.looseObject({}), ...others] = new Set<z.ZodType>(schemas);
  return others.length === 0 ? first : z.union([first, ...others]);
}

/** pain.001 and multipart, where a product takes them. */
function otherMedia(dialect: Dialect): Record<string, { schema: z.ZodType }> {
  const media = PAYMENT_SERVICES.flatMap((service) =>
    dialect.productsOf(service).flatMap((product) => dialect.productOf(service, product)?.media ?? []),
  );
  return Object.fromEntries(
    [...new Set(media)].filter((type) => type !== JSON_TYPE).map((type) => [type, { schema: z.string() }]),
  );
}
