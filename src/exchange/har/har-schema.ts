/** The part of HAR 1.2 that is read; browsers and proxies differ in the rest. */

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
  tlsFacts,
  verdicts,
} from '../recording/record-schema.js';
import { fileNote } from '../recording/session-note.js';

/** The time that a Date can hold at most. */
const LATEST = 8.64e15;
const nameValue = z.object({ name: z.string(), value: z.string() });
/** -1 and null stand for "unknown" in files of the field. */
const size = z.number().nullish();

const postData = z.object({
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
  params: z.array(z.object({ name: z.string(), value: z.string().nullish() })).nullish(),
});

const content = z.object({
  size,
  mimeType: z.string().nullish(),
  text: z.string().nullish(),
  encoding: z.string().nullish(),
});

const bodyNote = z.object({
  size: z.number(),
  base64: z.literal(true).exactOptional(),
  truncated: z.literal(true).exactOptional(),
  sha256: z.string().exactOptional(),
  coded: codedHashes.exactOptional(),
});

const note = z.object({
  id: z.string(),
  session: z.string(),
  listener: listenerName,
  at: z.number().min(-LATEST).max(LATEST).exactOptional(),
  /** How far the clock that all is judged by was ahead of the machine's, in ms. */
  ahead: z.number().min(-LATEST).max(LATEST).exactOptional(),
  target: z.string().exactOptional(),
  address: z.string(),
  bank: z.string().exactOptional(),
  sender: z.literal('sandgate').exactOptional(),
  tls: z.union([tlsFacts, z.literal('not-observed')]).nullable(),
  /** The fingerprint of one in `log._sandgate.certificates`. */
  certificate: z.string(),
  /** The same of the certificate of its signature. */
  seal: z.string().exactOptional(),
  tpp: z.string().nullable().exactOptional(),
  /** The nearest path that the listener knew, for a call of no operation; empty if none was near, null if nothing was called. */
  nearest: z.string().nullable().exactOptional(),
  requestBody: bodyNote.exactOptional(),
  /** null: no answer was given. */
  answer: z.object({ source: answerSource, body: bodyNote.exactOptional() }).nullable(),
  fault: fault.nullable(),
  elapsed: z.object({ total: z.number(), answerer: z.number(), firstByte: z.number().exactOptional() }),
  crossed: z.int().min(1).exactOptional(),
  injected: injection.exactOptional(),
  verdicts: verdicts.exactOptional(),
  findings: z.array(finding).exactOptional(),
});

export const harEntry = z.object({
  startedDateTime: z.string(),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(nameValue),
    bodySize: size,
    postData: postData.nullish(),
  }),
  response: z.object({
    status: z.number(),
    headers: z.array(nameValue),
    content: content.nullish(),
    bodySize: size,
  }),
  timings: z.object({ wait: z.number().nullish() }).nullish(),
  _sandgate: note.exactOptional(),
});
export type HarEntry = z.infer<typeof harEntry>;
export type HarNote = z.infer<typeof note>;
export type HarBodyNote = z.infer<typeof bodyNote>;

/** Entries are checked one by one, those that are skipped not at all. */
export const harFile = z.object({
  log: z.object({
    entries: z.array(z.unknown()),
    /** The program that wrote the file; a wrong one is no reason to refuse the file. */
    creator: z.object({ name: z.string(), version: z.string().nullish() }).nullish().catch(null),
    _sandgate: z
      .object({
        format: z.int(),
        session: z.string(),
        segment: z.string(),
        /** The bank’s interface, where it is not the built-in one. */
        bankProfile: notedProfile.exactOptional(),
        /** The program of others that recorded it, where no gateway of ours did. */
        recordedBy: z.string().exactOptional(),
        origins: z.array(z.string()),
        listeners: z
          .object({
            api: z.array(z.string()),
            psu: z.array(z.string()),
            bank: z.array(z.string()).exactOptional(),
          })
          .exactOptional(),
        notes: z.array(fileNote).exactOptional(),
        certificates: z.record(z.string(), certificateFacts),
      })
      .exactOptional(),
  }),
});

export type HarFile = z.infer<typeof harFile>;

export const harAddress = z.object({ request: z.object({ method: z.string(), url: z.string() }) });
export type HarAddress = z.infer<typeof harAddress>;
