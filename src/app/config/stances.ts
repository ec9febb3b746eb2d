/** Stances of single calls, by TPP, operation or path. */
import * as z from 'zod';
import { operationsOf } from '../../answer/index.js';
import type { Call } from '../../exchange/index.js';
import { fitsCall } from '../../rules/index.js';
import { STANCES, values } from './values.js';

export const callMatch = z.strictObject({
  operation: z.string().min(1).optional(),
  tpp: z.string().min(1).optional(),
  path: z.string().min(1).optional(),
});

/** Each is looked at for each call that is to be refused. */
const MOST = 100;

export const stances = z
  .array(
    z.strictObject({
      stance: values.oneOf(STANCES),
      match: callMatch
        .refine((match) => Object.keys(match).length > 0, { error: 'operation, tpp or path is expected' })
        .refine(({ operation }) => operation === undefined || operationsOf(operation).length > 0, {
          error:
            'an operation, such as accounts.list, or a kind of operations, such as accounts.*, is expected',
          path: ['operation'],
        }),
    }),
  )
  .max(MOST, { error: `${MOST} entries at most are expected` })
  .readonly();

export type Stance = (typeof STANCES)[number];

interface Stances {
  readonly stance: Stance;
  readonly stances?: z.infer<typeof stances> | undefined;
}

export const stanceOf = ({ stance, stances: some = [] }: Stances, call: Call): Stance =>
  some.find(({ match }) => fitsCall(match, call))?.stance ?? stance;
