/** `/api/evidence`: what a gateway signs of what it records. */
import * as z from 'zod';
import { route } from './api/route.js';

export const EVIDENCE_ROUTES = [
  route('POST /api/evidence/checkpoint', 'evidence', {
    says: 'signs a [checkpoint](report.md#evidence) of everything that this gateway has not signed yet; answered when it is stored',
    answer: z.object({ signed: z.literal(true) }),
    handle: async ({ sign }) => {
      await sign();
      return { signed: true as const };
    },
  }),
];
