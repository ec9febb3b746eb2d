/** Reads an OpenAPI 3 document, in JSON or YAML, and follows its references within it. */
import { isObject, memberOf, parseJsonText } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';

const MOST_CHARACTERS = 8 * 1024 * 1024;
/** References that lead to references; a circle has no end. */
const MOST_HOPS = 32;

type Members = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly root: Members;
  /** Follows references within the document. undefined where one leads out of it, nowhere, or in a circle. */
  readonly resolve: (value: unknown) => unknown;
  /** A member of an object, both resolved. */
  readonly at: (value: unknown, ...names: readonly string[]) => unknown;
  /** References to other documents, which were met and not followed. */
  readonly remote: ReadonlySet<string>;
}

/** @throws SandgateError where the text is neither JSON nor YAML, or no OpenAPI 3 */
export async function readOpenApi(text: string, file: string): Promise<OpenApiDocument> {
  if (text.length > MOST_CHARACTERS) throw new SandgateError('file.too-large', { file, most: '8 MiB' });
  const root = /^\s*\{/.test(text) ? parseJsonText(text, file) : await parseYaml(text, file);
  const version = memberOf(root, 'openapi');
  if (!isObject(root) || typeof version !== 'string' || !version.startsWith('3.')) {
    const why =
      memberOf(root, 'swagger') === undefined
        ? 'it has no member openapi: 3.x'
        : 'it is Swagger 2; convert it first';
    throw new SandgateError('openapi.other', { file, why });
  }
  return documentOf(root);
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line = 1, col: column = 1 } = error.linePos?.[0] ?? {};
      throw new SandgateError('openapi.unreadable', { file, line, column }, { cause: error });
    }
    return document.toJS();
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    // Aliases that multiply, or brackets without end.
    throw new SandgateError(
      'openapi.other',
      { file, why: 'it is nested too deeply, or repeats itself' },
      { cause },
    );
  }
}

export function documentOf(root: Members): OpenApiDocument {
  const remote = new Set<string>();
  const resolve = (value: unknown): unknown => {
    let one = value;
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      const reference = memberOf(one, '$ref');
      if (typeof reference !== 'string') return one;
      if (!reference.startsWith('#/')) {
        remote.add(reference.slice(0, 200));
        return undefined;
      }
      one = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((holder, part) => memberOf(holder, unescaped(part)), root);
    }
    return undefined;
  };
  const at = (value: unknown, ...names: readonly string[]): unknown =>
    names.reduce((holder, name) => resolve(memberOf(holder, name)), resolve(value));
  return { root, resolve, at, remote };
}

/** A part of a JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
