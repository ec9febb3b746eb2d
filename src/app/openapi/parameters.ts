/** Parameters of an operation: of its path, its query and its headers. */
import {
  type Dialect,
  HEADERS,
  type HeaderRow,
  type OperationId,
  type OperationRow,
  PAYMENT_SERVICES,
} from '../../spec/index.js';
import { examplesOf } from './examples.js';

export function parametersOf(id: OperationId, row: OperationRow, path: string, dialect: Dialect) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = [...new Set([...row.query, ...furtherQuery(id, dialect)])];
  return [
    ...inPath.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: { type: 'string' as const, ...offered(name, id, dialect) },
      ...examplesOf(name, id, dialect),
    })),
    ...inQuery.map((name) => ({
      name,
      in: 'query' as const,
      required: isRequiredQuery(name, id, dialect),
      schema: { type: 'string' as const },
      ...examplesOf(name, id, dialect),
    })),
    ...headersOf(id, row, dialect),
  ];
}

const furtherQuery = (id: OperationId, dialect: Dialect): string[] =>
  Object.keys(dialect.profile?.query?.further ?? {}).filter(
    (name) => dialect.queryIs(name, id) === 'further',
  );

/** The services and products that the bank offers. */
function offered(name: string, id: OperationId, dialect: Dialect): { enum?: string[] } {
  if (name === 'paymentService' || name === 'service')
    return { enum: PAYMENT_SERVICES.filter((service) => dialect.productsOf(service).length > 0) };
  if (name === 'paymentProduct' && id.startsWith('payments.'))
    return { enum: [...new Set(PAYMENT_SERVICES.flatMap((service) => dialect.productsOf(service)))] };
  return {};
}

const AUTHORIZE = new Set(['scope', 'client_id', 'state', 'redirect_uri', 'code_challenge', 'response_type']);
const READ_TRANSACTIONS = new Set(['dateFrom', 'bookingStatus']);

function isRequiredQuery(name: string, id: OperationId, dialect: Dialect): boolean {
  if (dialect.queryIs(name, id) === 'optional') return false;
  const { optional = [] } = dialect.profile?.oauth ?? {};
  if (id === 'oauth.authorize') return AUTHORIZE.has(name) && !optional.some((one) => one === name);
  return id === 'accounts.transactions' ? READ_TRANSACTIONS.has(name) : id === 'oauth.discovery';
}

type Demand = readonly [name: string, is: 'required' | 'optional' | 'forbidden'];

const ROWS: ReadonlyMap<string, HeaderRow> = new Map(Object.values(HEADERS).map((row) => [row.name, row]));

/** Headers of the built-in interface that a call of the operation has a use for. */
function builtInHeaders(row: OperationRow, { hasConsents }: Dialect): Demand[] {
  const isCreation = row.creates === 'consent' || row.creates === 'payment';
  return [
    ...(row.requestId ? [['X-Request-ID', 'required'] as const] : []),
    ...(row.group === 'accounts' && hasConsents ? [['Consent-Id', 'required'] as const] : []),
    ...(row.on === 'payment' ? [['Consent-Id', 'optional'] as const] : []),
    ...(row.counted || isCreation ? [['PSU-IP-Address', 'optional'] as const] : []),
    ...(isCreation
      ? (['TPP-Redirect-URI', 'TPP-Nok-Redirect-URI', 'TPP-Explicit-Authorisation-Preferred'] as const).map(
          (name) => [name, 'optional'] as const,
        )
      : []),
  ];
}

/** Authorization is a security scheme, and no header. The bank's word comes last. */
function headersOf(id: OperationId, row: OperationRow, dialect: Dialect) {
  const demands = new Map(
    [...builtInHeaders(row, dialect), ...dialect.headersOf(id)].map(([name, is]) => [
      name.toLowerCase(),
      { name, is },
    ]),
  );
  demands.delete('authorization');
  return [...demands.values()]
    .filter(({ is }) => is !== 'forbidden')
    .map(({ name, is }) => ({
      name,
      in: 'header' as const,
      required: is === 'required',
      schema: headerSchema(ROWS.get(name)),
      ...examplesOf(name, id, dialect),
    }));
}

function headerSchema({ maxLength, form }: Partial<HeaderRow> = {}) {
  if (form === 'boolean') return { type: 'string' as const, enum: ['true', 'false'] };
  return {
    type: 'string' as const,
    ...(form === 'uuid' ? { format: 'uuid' } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}
