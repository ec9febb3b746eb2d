/** The signed statement of a report: the files that were written, each with its digest. */
import { hash } from 'node:crypto';
import * as z from 'zod';

const statement = z.strictObject({
  format: z.literal('sandgate-statement'),
  version: z.literal(1),
  files: z.array(z.strictObject({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).min(1),
});

export type Statement = z.infer<typeof statement>;

export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** The bytes to sign: `files` by their names without folder, each with its digest. */
export function writeStatement(
  files: readonly { readonly name: string; readonly sha256: string }[],
): Uint8Array {
  const stated: Statement = {
    format: 'sandgate-statement',
    version: 1,
    files: files.map(({ name, sha256 }) => ({ name, sha256 })),
  };
  return Buffer.from(JSON.stringify(stated));
}

/** null where it is no statement of this version. */
export function readStatement(bytes: Uint8Array): Statement | null {
  try {
    return statement.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}
