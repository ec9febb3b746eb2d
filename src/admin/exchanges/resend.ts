/** `POST /api/exchanges/:id/resend`: a call once more, as it was or otherwise, with any test certificate. */
import * as z from 'zod';
import { route } from '../api/route.js';
import { named } from '../api/schemas.js';

const LONGEST_TARGET = 8_000;
const MOST_BODY = 1_000_000;

const wanted = named(
  'Resend',
  z.strictObject({
    certificate: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe(
        'Of the folder of certificates, by its name; null: none is shown. Otherwise one that says what the recorded one said.',
      ),
    method: z
      .string()
      .regex(/^[A-Za-z]{1,20}$/, { error: 'a method is expected' })
      .optional(),
    target: z
      .string()
      .max(LONGEST_TARGET)
      .regex(/^\/[!-~]*$/, { error: 'a path with its query is expected, as it stands in a request' })
      .optional(),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/), z.string().max(16_384).nullable())
      .optional()
      .describe(
        'Put over those recorded; null takes one away. Secrets, which no recording holds, are to be given here.',
      ),
    body: z.string().max(MOST_BODY).nullable().optional(),
  }),
);

export const RESEND_ROUTES = [
  route('POST /api/exchanges/:id/resend', 'resend', {
    says: 'sends it again through the gateway’s own listener, with a test certificate: `{"certificate"?,"method"?,"target"?,"headers"?:{},"body"?:"text"}` → `{"exchange":"ID"}`',
    body: wanted,
    answer: z.object({ exchange: z.string() }),
    handle: async ({ send }, { params: { id = '' }, body }) => ({ exchange: await send(id, body) }),
  }),
];
