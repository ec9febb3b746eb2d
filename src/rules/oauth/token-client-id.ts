import type { Call } from '../../exchange/index.js';
import { SANDBOX } from '../../spec/index.js';
import { formOnce } from '../checks/parameters.js';
import { isOwnClientId } from '../checks/token-flow.js';
import { type CallContext, defineRule, type Violation, violation } from '../rule.js';

const NO_SECRET = 'no client secret: the certificate of the connection tells who calls';

export default defineRule({
  id: 'oauth/token-client-id',
  statement:
    'client_id at the token endpoint is that of the certificate (VALID_CLIENT_ID under profile sandbox)',
  clauses: ['authorize.client_id', 'sandbox-ids.client'],
  sources: ['RFC8705 2.1'],
  appliesTo: ['oauth.token'],
  needs: ['form', 'tpp'],
  refusal: { token: 'invalid_client' },
  why: 'The certificate is how the client proves who it is; another client_id is another client.',
  fix: "Send the organizationIdentifier of the certificate's subject as client_id, as at authorize.",
  examples: {
    complies: 'client_id=PSDBE-NBB-0123456789, with the certificate of PSDBE-NBB-0123456789',
    violates: 'client_id=PSDDE-BAFIN-987654, with the same certificate',
  },
  remedyFor: (expected) =>
    expected === NO_SECRET
      ? { fix: 'Send no client secret.', complies: 'no Authorization header' }
      : undefined,
  check: (context) => {
    const { call } = context;
    const secrets = secretsOf(call);
    const outcome = judgeClient(context);
    return secrets.length === 0 ? outcome : [...secrets, ...(typeof outcome === 'object' ? [outcome] : [])];
  },
});

/** They do no harm, and prove nothing. */
function secretsOf(call: Call): Violation[] {
  const secrets: Violation[] = [];
  if (/^basic /i.test(call.header.authorization ?? ''))
    secrets.push(violation('header Authorization', NO_SECRET, 'Basic, with a client secret'));
  if (formOnce(call, 'client_secret') !== undefined)
    secrets.push(violation('body client_secret', NO_SECRET, 'client_secret'));
  return secrets.map((one) => ({ ...one, atMost: 'note' }));
}

function judgeClient(context: CallContext): Violation | true | 'not-applicable' {
  const { call, options } = context;
  const client = formOnce(call, 'client_id');
  // A certificate that names no organisation is a finding of its own.
  if (client === undefined || call.tpp?.startsWith('cert:')) return 'not-applicable';
  if (isOwnClientId(context, client)) return true;
  const own = call.tpp ?? '';
  return violation(
    'body client_id',
    options.profile === 'sandbox' ? `${own}, or ${SANDBOX.clientId}` : own,
    client,
  );
}
