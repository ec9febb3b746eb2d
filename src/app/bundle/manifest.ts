/** The manifest of a bundle: its files, each with size and digest. It is what the statement of a bundle signs. */
import * as z from 'zod';
import { inPlainWords, SandgateError } from '../../spec/index.js';

export const MANIFEST = 'manifest.json';
export const STATEMENT = `${MANIFEST}.jws`;

const manifest = z.strictObject({
  format: z.literal('sandgate-bundle'),
  version: z.literal(1),
  session: z.string(),
  gateway: z.strictObject({ name: z.literal('sandgate'), version: z.string() }),
  files: z.array(
    z.strictObject({
      name: z.string(),
      what: z.string(),
      size: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;

/** @throws SandgateError */
export function readManifest(bytes: Uint8Array, file: string): Manifest {
  let problem: string;
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const parsed = manifest.safeParse(read, { error: inPlainWords });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    problem = `${issue?.message ?? 'another form is expected'} at ${issue?.path.join('.') || 'its top'}`;
  } catch {
    problem = 'it is not JSON';
  }
  throw new SandgateError('bundle.archive', { file, problem: `${MANIFEST} cannot be read: ${problem}` });
}
