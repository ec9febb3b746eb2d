/** Calls that only ask. */
import { isRead } from '../spec/index.js';
import type { Call } from './exchange.js';

/** By these some servers take a request for one of another method. */
const METHOD_OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/**
 * Whether a call is a read of the specification, and nothing about it could make it another. What is no operation may
 * change anything at a bank, by whatever method it is sent.
 */
export function isPlainRead({ operation, request, header }: Call): boolean {
  return (
    operation !== null &&
    isRead(operation) &&
    request.body === null &&
    METHOD_OVERRIDES.every((name) => header[name] === undefined)
  );
}
