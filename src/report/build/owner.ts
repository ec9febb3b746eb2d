/** The owner of an exchange: the TPP that called or was notified; of a browser's, the TPP that sent it to the bank. */
import { type Call, type Exchange, queryValue } from '../../exchange/index.js';
import { authorisationOf, keyOf, type Ledger, UNOBSERVED_TPP } from '../../ledger/index.js';
import { SANDBOX_AUTHORISATIONS } from '../../spec/index.js';

/** null: nobody known. Where it might be one of several, it is nobody's: a report for one TPP holds nothing of another. */
export type OwnerOf = (exchange: Exchange, ledger: Ledger) => string | null;

/** `most`: callers that are remembered. */
export function createOwners(most: number): OwnerOf {
  const callers = new Set<string>();
  return ({ call }, ledger) => {
    const { tpp, listener } = call;
    if (tpp !== null && callers.size < most) callers.add(tpp);
    return tpp !== null || listener !== 'psu' ? tpp : senderOf(call, ledger, callers);
  };
}

function senderOf(call: Call, ledger: Ledger, callers: ReadonlySet<string>): string | null {
  const id = call.params.authorisationId ?? '';
  const client = queryValue(call, 'client_id') ?? '';
  const found = authorisationOf(ledger, id, client);
  if (found?.tpp === client) return client;
  // The sandbox gives the same id to every TPP.
  if (Object.hasOwn(SANDBOX_AUTHORISATIONS, id))
    return callers.has(client) ? client : returnedTo(id, call, ledger, callers);
  if (found === undefined) return callers.has(client) ? client : null;
  // The authorisation of one, under the name of another.
  return found.tpp === UNOBSERVED_TPP || callers.has(client) ? null : found.tpp;
}

/** The one caller that gave this return address when it got the id. */
function returnedTo(
  id: string,
  call: Call,
  { authorisations }: Ledger,
  callers: ReadonlySet<string>,
): string | null {
  const address = queryValue(call, 'redirect_uri');
  if (address === undefined) return null;
  const [one, ...others] = [...callers].filter(
    (tpp) => authorisations.get(keyOf.authorisationOfTpp(id, tpp))?.redirectUri === address,
  );
  return one === undefined || others.length > 0 ? null : one;
}
