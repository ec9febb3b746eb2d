/** Strips an exchange, whose content is erased or enciphered, to the rest. */
import { splitTarget } from '../link.js';
import type { PackedBody, PackedExchange, PackedOwn } from './packed.js';

const GONE = '-';

/** Times, sizes and the path without ids; `mark`: see `PackedOwn`. */
export function withheldOwn({ own, shape }: PackedExchange, mark: string): PackedOwn {
  const [at, total, answerer, , target, params, values, body, answerValues, answerBody] = own;
  const [, , , , , , , , , , , ahead = 0, crossed = 0, , injected = null] = own;
  const nothing = (list: readonly unknown[]) => list.map(() => '');
  const path = shape.operation === null ? '/' : pathWithout(target, params);
  return [
    ...([at, total, answerer, '', path, nothing(params), nothing(values), sizeOf(body)] as const),
    ...([nothing(answerValues), sizeOf(answerBody), null, ahead, crossed, null, injected, mark] as const),
  ];
}

/** Its digest would tell a guessed content from others. */
const sizeOf = (body: PackedBody): PackedBody =>
  body === null || typeof body === 'number' ? body : body.size;

function pathWithout(target: string, params: readonly string[]): string {
  const { path } = splitTarget(target);
  const isParam = (segment: string): boolean => params.includes(segment) || params.includes(decoded(segment));
  return path
    .split('/')
    .map((segment) => (isParam(segment) ? GONE : segment))
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
