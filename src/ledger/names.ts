/** The names under which facts are found that are not looked up by their keys. */
import { isSandboxResource, SANDBOX } from '../spec/index.js';
import type { LedgerFamilies, LedgerFamily } from './facts.js';
import type { Index } from './family.js';
import { UNOBSERVED_TPP } from './keys.js';

export const nameOf = {
  /** Of a TPP: its own, and authorization requests that bear its name. */
  tpp: (tpp: string): string => `of ${tpp}`,
  /** Authorization requests of nobody known, by their client_id. */
  client: (clientId: string): string => `by ${clientId}`,
  /** Links by the last segment of their path. */
  end: (path: string): string => `to ${path.slice(path.lastIndexOf('/') + 1)}`,
} as const;

/** Whether an authorization request bears the name of a TPP that is not known to have begun it. */
export const bearsOtherName = ({ tpp, clientId }: LedgerFamilies['authorizes']): boolean =>
  tpp !== null && clientId !== tpp && clientId !== SANDBOX.clientId;

const byId = ({ id, tpp }: { readonly id: string; readonly tpp: string }): readonly string[] =>
  tpp === UNOBSERVED_TPP || isSandboxResource(id) ? [] : [id];

export const INDEXES: { readonly [F in LedgerFamily]?: Index<LedgerFamilies[F]> } = {
  /** By their ids alone; not of ids that the sandbox gives to all alike. */
  consents: { namesOf: byId },
  payments: { namesOf: byId },
  authorizes: {
    namesOf: (fact) => {
      const { tpp, clientId } = fact;
      if (tpp === null) return [nameOf.client(clientId)];
      return bearsOtherName(fact) ? [nameOf.tpp(tpp), nameOf.tpp(clientId)] : [nameOf.tpp(tpp)];
    },
  },
  links: { namesOf: ({ tpp, path }) => [nameOf.tpp(tpp), nameOf.end(path)] },
};
