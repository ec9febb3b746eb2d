import { mediaType } from '../../exchange/index.js';
import { type Dialect, operationRow, PAYMENT_SERVICES } from '../../spec/index.js';
import { defineRule, violation } from '../rule.js';

/** From the vaguest to the most exact: the most exact range that is there decides (RFC 9110 12.5.1). */
const JSON_TYPE = 'application/json';
const RANGES = ['*/*', 'application/*', JSON_TYPE];
/** In what banks may answer a list of transactions besides (camt.05x, MT940), which this interface does not say. */
const STATEMENTS = /^(?:application\/(?:.+\+)?(?:xml|zip)|text\/(?:plain|xml|csv))$/;

export default defineRule({
  id: 'requests/accepts-json',
  statement: 'Accept, if sent, covers application/json',
  sources: ['BG', 'RFC9110 12.5.1'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ({ listener }) => listener === 'api',
  looksAt: 'head',
  why: 'The interface answers in JSON, errors too; a strict bank answers 406 to a client that does not take it.',
  fix: 'Send Accept: application/json, or leave the header out.',
  examples: { complies: 'Accept: application/json, */*;q=0.5', violates: 'Accept: text/html' },
  check: ({ call, options }) => {
    const { accept = '' } = call.header;
    // Nearly all clients write it so.
    if (RANGES.includes(accept)) return true;
    if (accept.trim() === '') return 'not-applicable';
    const weights = weightsOf(accept);
    const exact = RANGES.findLast((range) => weights.has(range));
    if (exact !== undefined && weights.get(exact) !== 0) return true;
    const takesOther = [...weights.keys()].some((type) => STATEMENTS.test(type));
    if (call.operation === 'accounts.transactions' && takesOther) return 'not-observed';
    // Payments that came in XML are told in XML.
    const isPayment = call.operation !== null && operationRow(call.operation).group === 'payments';
    if (isPayment && takesOther && takesXml(options.dialect)) return 'not-observed';
    return violation('header Accept', 'application/json or */* in the list, or no Accept', accept);
  },
});

const takesXml = ({ productsOf, productOf }: Dialect): boolean =>
  PAYMENT_SERVICES.some((service) =>
    productsOf(service).some((name) => productOf(service, name)?.media.some((type) => type !== JSON_TYPE)),
  );

/** Media ranges with their weight; one without a readable weight has 1. */
function weightsOf(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accept.split(',')) {
    const weight = Number(/;\s*q\s*=\s*([0-9.]+)/i.exec(part)?.[1] ?? 1);
    const range = mediaType(part.trim());
    if (range !== '')
      weights.set(range, Math.max(weights.get(range) ?? 0, Number.isNaN(weight) ? 1 : weight));
  }
  return weights;
}
