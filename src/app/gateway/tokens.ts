/** Tokens that passed in this run, for calls that are sent again: in memory alone, never shown, stored or handed on. */
import type { Answered, Answerer } from '../../answer/index.js';
import { type Call, createRecentCache, textMember } from '../../exchange/index.js';
import { type Dialect, type Scope, scopeText } from '../../spec/index.js';

export interface Kept {
  readonly access: string | undefined;
  readonly refresh: string | undefined;
}

/** In characters: a bank may write tokens and scopes of any length. */
const MOST = 1_000_000;

export type Tokens = ReturnType<typeof createTokens>;

/** Keeps refresh tokens of the emulator, and access tokens of a bank if the operator allows it. */
export function createTokens({ keepTokens }: { readonly keepTokens: boolean }, dialect: Dialect) {
  const kept = createRecentCache<string, Kept>(
    MOST,
    ({ access = '', refresh = '' }, key) => key.length + access.length + refresh.length,
  );
  const keyOf = (source: string, tpp: string, scope: Scope): string => `${source} ${tpp} ${scopeText(scope)}`;
  const keep = ({ operation, tpp }: Call, answered: Answered | null): void => {
    if (answered === null || operation !== 'oauth.token' || tpp === null) return;
    const { status, source, content } = answered.answer;
    const scope = dialect.parseScope(textMember(content, 'scope') ?? '');
    if (status !== 200 || scope === undefined) return;
    const isBanks = source === 'upstream';
    if (isBanks ? !keepTokens : source !== 'emulator') return;
    kept.set(keyOf(source, tpp, scope), {
      access: isBanks ? textMember(content, 'access_token') : undefined,
      refresh: isBanks ? undefined : textMember(content, 'refresh_token'),
    });
  };
  return {
    keepsBanks: keepTokens,
    /** Hears what `answer` gives to calls for a token. */
    hearing:
      (answer: Answerer['answer']): Answerer['answer'] =>
      (call, context) => {
        const answered = answer(call, context);
        if (call.operation !== 'oauth.token') return answered;
        if (answered instanceof Promise) void answered.then((one) => keep(call, one)).catch(() => undefined);
        else keep(call, answered);
        return answered;
      },
    of: (source: 'emulator' | 'upstream', tpp: string, scope: Scope): Kept | undefined =>
      kept.get(keyOf(source, tpp, scope)),
  };
}
