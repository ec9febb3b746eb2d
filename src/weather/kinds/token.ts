/** Tokens that end before their time, or that nobody gets. */
import * as z from 'zod';
import type { Answered } from '../../answer/index.js';
import type { BankChange } from '../../bank/index.js';
import { type Call, formValue, isObject } from '../../exchange/index.js';
import { answerProblem, withJson } from '../answers.js';
import { callKind, type Kind } from '../kind.js';

const isToken = ({ operation }: Call): boolean => operation === 'oauth.token';
const isRefresh = (call: Call): boolean =>
  isToken(call) && formValue(call.content, 'grant_type') === 'refresh_token';
const isGiven = ({ answer }: Answered): boolean => answer.status === 200;

export const TOKEN: Readonly<Record<string, Kind>> = {
  '5xx-after-rotation': callKind({
    family: 'token',
    says: 'A refresh is answered 503, and only the new refresh token, which nobody received, is valid.',
    takes: z.strictObject({}),
    meets: isRefresh,
    after: ({ call }, answered) =>
      isGiven(answered) ? { answer: answerProblem(call, { status: 503, form: 'json' }) } : undefined,
  }),
  'expires-early': callKind({
    family: 'token',
    says: 'An access token ends after `seconds`, whatever expires_in said.',
    takes: z.strictObject({ seconds: z.int().min(1).max(3_600).default(60) }),
    needs: 'living',
    meets: isToken,
    after: ({ given }, { changes = [] }) => {
      const isAccess = (change: BankChange) =>
        change.family === 'bankTokens' && change.fact?.kind === 'access';
      if (!changes.some(isAccess)) return undefined;
      return {
        changes: changes.map((change) =>
          change.family === 'bankTokens' && change.fact?.kind === 'access'
            ? {
                ...change,
                fact: { ...change.fact, expiresAt: change.fact.issuedAt + given.seconds * 1_000 },
              }
            : change,
        ),
      };
    },
  }),
  'refresh-once': callKind({
    family: 'token',
    says: 'A refresh token ends at its first use.',
    takes: z.strictObject({}),
    needs: 'living',
    meets: isRefresh,
    after: ({ call, fingerprint }, answered) => {
      if (!isGiven(answered)) return undefined;
      const used = fingerprint(formValue(call.content, 'refresh_token') ?? '');
      return { changes: [...(answered.changes ?? []), { family: 'bankTokens', key: used, fact: null }] };
    },
  }),
  'scope-narrowed': callKind({
    family: 'token',
    says: 'The answer names a narrower `scope` than the requested one.',
    takes: z.strictObject({ scope: z.string().min(1).max(100).default('AIS') }),
    meets: isToken,
    after: ({ given }, { answer }) => {
      const changed = withJson(answer, (value) =>
        isObject(value) && 'access_token' in value ? { ...value, scope: given.scope } : value,
      );
      return changed === undefined ? undefined : { answer: changed };
    },
  }),
};
