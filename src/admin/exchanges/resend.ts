/** `POST /api/exchanges/:id/resend`: a call once more, as it was or otherwise, with any test certificate. */
import * as z from 'zod';
import { route } from '../api/route.js';
import { resend } from '../api/schemas.js';

export const RESEND_ROUTES = [
  route('POST /api/exchanges/:id/resend', 'resend', {
    says: 'sends it again through the gateway’s own listener, with a test certificate: `{"certificate"?,"method"?,"target"?,"headers"?:{},"body"?:"text"}` → `{"exchange":"ID"}`',
    body: resend,
    answer: z.object({ exchange: z.string() }),
    handle: async ({ send }, { params: { id = '' }, body }) => ({ exchange: await send(id, body) }),
  }),
];
