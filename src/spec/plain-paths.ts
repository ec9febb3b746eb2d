/** Tells plain paths of the interface without taking them apart: by far the most links that banks give are no more. */
import { OPERATION_IDS, OPERATIONS, PAYMENT_PRODUCTS } from './operations.js';

/** What a path may name, in characters that need no decoding; any other address is read more closely. */
const PARAMETERS: Readonly<Record<string, string>> = {
  paymentService: 'payments',
  paymentProduct: `(?:${Object.keys(PAYMENT_PRODUCTS).join('|')})`,
  authorisationId: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
};
const patternOf = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? '[A-Za-z0-9_~-]+');

const BASE = '/{segment}';
const PLAIN = new RegExp(
  `^(?:${OPERATION_IDS.map((id) => OPERATIONS[id].path)
    .filter((path) => path.startsWith(BASE))
    .map((path) => patternOf(path.slice(BASE.length)))
    .join('|')})$`,
);

/** `path`: what stands behind the segment, without query. Of a path that is not plain nothing is told. */
export function isPlainPath(path: string): boolean {
  return PLAIN.test(path);
}
