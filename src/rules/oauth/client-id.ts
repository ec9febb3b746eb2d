import { UNOBSERVED_TPP } from '../../ledger/index.js';
import { SANDBOX } from '../../spec/index.js';
import {
  authorisationIdOf,
  authorisationIn,
  isOrganisation,
  isSharedAuthorisation,
  resourceOf,
  scopeOf,
} from '../checks/authorize-flow.js';
import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/client-id',
  statement:
    "client_id is the TPP's NCA id, the organizationIdentifier of its certificate (VALID_CLIENT_ID under profile sandbox)",
  clauses: ['authorize.client_id', 'sandbox-ids.client'],
  sources: ['ETSI', 'RFC6749 4.1.2.1'],
  appliesTo: ['oauth.authorize'],
  refusal: { page: 'client_id is not that of the TPP' },
  why: 'The PSU would see the name of another TPP, and the code could not be exchanged with this certificate.',
  fix: "Send the organizationIdentifier (2.5.4.97) of the certificate's subject, character for character.",
  examples: { complies: 'client_id=PSDBE-NBB-0123456789', violates: 'client_id=my-app' },
  // The browser shows no certificate, so the TPP is the owner of the authorisation in the path. An authorisation of
  // the sandbox's shared ids is also that of any TPP that created what the scope names; one that was never seen has
  // no known owner, and only the form of the value can be judged.
  check: ({ call, ledger, options }) => {
    const client = onceOf(call.request.query, 'client_id');
    if (client === undefined) return 'not-applicable';
    const sandbox = options.profile === 'sandbox';
    if (sandbox && client === SANDBOX.clientId) return true;
    const id = authorisationIdOf(call);
    const owner = authorisationIn({ call, ledger })?.tpp;
    if (client === owner) return true;
    // Its certificate names no organisation, which is a finding of its own.
    if (owner?.startsWith('cert:')) return 'not-applicable';
    const known = owner !== undefined && owner !== UNOBSERVED_TPP;
    const scope = scopeOf({ call, options });
    const created = scope !== undefined && resourceOf(ledger, client, scope) !== undefined;
    if (created && (!known || isSharedAuthorisation(id))) return true;
    if (!known && isOrganisation(client, options.profile)) return 'not-observed';
    // The ledger knows only the last TPP that got a shared id, which says nothing about this one.
    const named = known && !isSharedAuthorisation(id);
    const identifier = named ? owner : 'the organizationIdentifier of the certificate, PSDcc-NCA-number';
    return violation(
      'query client_id',
      sandbox ? `${identifier}, or ${SANDBOX.clientId}` : identifier,
      client,
    );
  },
});
