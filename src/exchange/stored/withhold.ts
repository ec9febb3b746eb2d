/** Strips an exchange, whose content is erased or enciphered, to the rest. */
import { splitTarget } from '../link.js';
import type { PackedBody, PackedExchange, PackedOwn } from './packed.js';

const GONE = '-';

/** Times, sizes and the path without ids; `mark`: see `PackedOwn`. */
export function withheldOwn({ own, shape }: PackedExchange, mark: string): PackedOwn {
  const [at, total, answerer, , target, params, , body, , answerBody] = own;
  const [, , , , , , , , , , , ahead = 0, crossed = 0, , injected = null] = own;
  const path = shape.operation === null ? '/' : pathWithout(target, params);
  return [
    ...([at, total, answerer, '', path, [], [], sizeOf(body)] as const),
    ...([[], sizeOf(answerBody), null, ahead, crossed, null, injected, mark] as const),
  ];
}

/** Its digest would tell a guessed content from others. */
const sizeOf = (body: PackedBody): PackedBody =>
  body === null || typeof body === 'number' ? body : body.size;

function pathWithout(target: string, params: readonly string[]): string {
  const { path } = splitTarget(target);
  if (params.length === 0) return path;
  const isParam = (segment: string): boolean => params.includes(segment) || params.includes(decoded(segment));
  return path
    .split('/')
    .map((segment) => (isParam(segment) ? GONE : segment))
    .join('/');
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
