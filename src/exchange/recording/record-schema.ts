/** Schemas of the parts of an exchange that HAR and cassette share. */
import * as z from 'zod';
import { ENDS, type Exchange, FAULT_KINDS, type Fault, type Injection, type TlsFacts } from '../exchange.js';
import { ANSWER_SOURCES } from '../message.js';
import { placeFrom } from '../place.js';
import type { StepNote } from './session-note.js';

export const tlsFacts = z.object({
  version: z.string(),
  cipher: z.string(),
  resumed: z.boolean(),
}) satisfies z.ZodType<TlsFacts>;

export const fault = z.object({ kind: z.enum(FAULT_KINDS), message: z.string() }) satisfies z.ZodType<Fault>;

export const injection = z.object({
  fault: z.string().regex(/^[\w.-]{1,60}$/),
  kind: z.string().regex(/^[\w/-]{1,60}$/),
  did: z.int().nullable().exactOptional(),
  ms: z.number().min(0).exactOptional(),
  end: z.enum(ENDS).exactOptional(),
  bytes: z.int().min(1).exactOptional(),
}) satisfies z.ZodType<Injection>;

/** See `Body`. */
export const codedHashes = z.object({ sha256: z.string(), sha512: z.string() });

export const answerSource = z.enum(ANSWER_SOURCES);
export const listenerName = z.enum(['api', 'psu', 'callback']);

export const VERDICTS = ['complied', 'violated', 'not-observed'] as const;
export const verdicts = z.record(z.string(), z.enum(VERDICTS));
export type FileVerdicts = Readonly<z.infer<typeof verdicts>>;

export const finding = z.object({
  rule: z.string(),
  severity: z.enum(['must', 'should', 'note']),
  judges: z.enum(['tpp', 'aspsp']),
  place: z.string().transform(placeFrom),
  expected: z.string(),
  actual: z.string().exactOptional(),
  waived: z.string().exactOptional(),
});
export type FileFinding = Readonly<z.infer<typeof finding>>;

export interface FileRecord {
  readonly exchange: Exchange;
  /** Recorded in front of it, behind the exchange before. */
  readonly steps?: readonly StepNote[];
  readonly verdicts?: FileVerdicts;
  readonly findings?: readonly FileFinding[];
}
