/** `/api/faults`: the faults that calls meet, looked at and changed while the gateway runs. */
import * as z from 'zod';
import { faultRow, KIND_ROWS } from '../weather/index.js';
import { route } from './api/route.js';
import { count, named } from './api/schemas.js';

const fault = named('Fault', faultRow.extend({ times: count.describe('Calls that it has met.') }));

const kind = z.object({
  kind: z.string(),
  says: z.string(),
  takes: z.array(z.string()).describe('Its parameters.'),
  needs: z.enum(['emulator', 'living']).nullable().describe('Which bank must answer; null: any source.'),
});

const all = z.array(fault);

export const FAULT_ROUTES = [
  route('GET /api/faults', 'faults', {
    says: 'the faults in force, in the order in which they are tried; [faults.md](faults.md)',
    answer: all,
    handle: async ({ list }) => [...(await list())],
  }),
  route('GET /api/faults/kinds', 'faults', {
    says: 'every kind of fault, with its parameters',
    answer: z.array(kind),
    handle: () => [...KIND_ROWS],
  }),
  route('POST /api/faults', 'faults', {
    says: 'adds a fault after the others, for all gateways of the store; noted in the session',
    takes: () => faultRow,
    answer: all,
    handle: async ({ add }, { body }) => [...(await add(body))],
  }),
  route('DELETE /api/faults/:id', 'faults', {
    says: 'removes a fault; answers with the rest',
    answer: all,
    handle: async ({ remove }, { params }) => [...(await remove(params.id ?? ''))],
  }),
  route('DELETE /api/faults', 'faults', {
    says: 'removes all faults',
    answer: all,
    handle: async ({ clear }) => [...(await clear())],
  }),
];
