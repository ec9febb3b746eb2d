/** The form of a cassette. Version 1; a later version comes with a step that lifts this one (see `cassette.ts`). */

import * as z from 'zod';
import { certificateFacts } from '../../certificate/index.js';
import { notedProfile } from '../../spec/index.js';
import {
  answerSource,
  codedHashes,
  fault,
  finding,
  injection,
  listenerName,
  VERDICTS,
} from '../recording/record-schema.js';
import { STEP_ACTIONS } from '../recording/session-note.js';

export const CASSETTE_FORMAT = 'sandgate-cassette';
export const CASSETTE_VERSION = 1;

/** `"Accept": "application/json"`; of duplicates an array; pairs where an object cannot hold the order. */
const headers = z.union([
  z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  z.array(z.tuple([z.string(), z.string()])),
]);
export type CassetteHeaders = z.infer<typeof headers>;

const form = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** At most one of `json`, `form`, `text` and `base64`; none of them: no body. */
const body = {
  json: z.unknown().exactOptional(),
  form: form.exactOptional(),
  text: z.string().exactOptional(),
  base64: z.string().exactOptional(),
  /** Bytes on the wire, where they are not those of the body as it stands here. */
  bodySize: z.number().exactOptional(),
  truncated: z.literal(true).exactOptional(),
  sha256: z.string().exactOptional(),
  coded: codedHashes.exactOptional(),
} as const;
const bodyObject = z.object(body);
export type CassetteBody = z.infer<typeof bodyObject>;

const step = z.object({ action: z.enum(STEP_ACTIONS), name: z.string().exactOptional() });
export type CassetteStep = z.infer<typeof step>;

export const cassetteExchange = z.object({
  steps: z.array(step).exactOptional(),
  /** So many of the last of these, and of those before, came while the call was under way. */
  crossed: z.int().min(1).exactOptional(),
  /** Ms from the first call by the clock of the machine, which nobody moves. */
  at: z.number(),
  /** By how many ms the clock that all is judged by was moved since the first call. */
  moved: z.number().exactOptional(),
  /** For the reader: method and target say it. null: none that the listener offers. */
  operation: z.string().nullish(),
  listener: listenerName.exactOptional(),
  /** Marks a page of the bank's own on the PSU listener: no operation was missed. */
  page: z.literal(true).exactOptional(),
  /** A name of `certificates`, `absent` or `not-observed`. */
  certificate: z.string(),
  /** The same of the certificate of its signature. */
  seal: z.string().exactOptional(),
  tpp: z.string().nullable().exactOptional(),
  /** `TLSv1.3 TLS_AES_256_GCM_SHA384`; null: plain HTTP. */
  tls: z.string().nullable(),
  address: z.string().exactOptional(),
  bank: z.string().exactOptional(),
  sender: z.literal('sandgate').exactOptional(),
  request: z.object({ method: z.string(), target: z.string(), headers, ...body }),
  answer: z.object({ status: z.int(), source: answerSource, headers, ...body }).nullable(),
  fault: fault.exactOptional(),
  injected: injection.exactOptional(),
  /** In ms, to the answer, and the bank's share of it: all, and up to the first byte. */
  took: z.number(),
  bankTook: z.number(),
  firstByte: z.number().exactOptional(),
  findings: z.array(finding).exactOptional(),
  /** Rule ids by verdict, separated by blanks. */
  verdicts: z.partialRecord(z.enum(VERDICTS), z.string()).exactOptional(),
});
export type CassetteExchange = z.infer<typeof cassetteExchange>;

/** Enough to tell whether the rest can be read. */
export const cassetteHead = z.object({ format: z.literal(CASSETTE_FORMAT), version: z.int().min(1) });

export const cassetteFile = z.object({
  session: z.string(),
  segment: z.string(),
  /** The bank’s interface, where it is not the built-in one. */
  bankProfile: notedProfile.exactOptional(),
  /** The program of others that recorded it, where no gateway of ours did. */
  recordedBy: z.string().exactOptional(),
  /** ISO 8601: when the first call arrived, by the clock that all is judged by. Absent where there is none. */
  recorded: z.string().exactOptional(),
  /** How far that clock was ahead of the machine's then, in ms. */
  ahead: z.number().exactOptional(),
  origins: z
    .object({
      api: z.string().exactOptional(),
      psu: z.string().exactOptional(),
      bank: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  exchanges: z.array(z.unknown()),
  certificates: z.record(z.string(), certificateFacts),
});
export type CassetteFile = z.infer<typeof cassetteFile>;
export const wholeCassette = cassetteFile.extend({ exchanges: z.array(cassetteExchange) });
