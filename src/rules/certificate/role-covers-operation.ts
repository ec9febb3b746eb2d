import type { CertificateFacts } from '../../certificate/index.js';
import { queryValue } from '../../exchange/index.js';
import { authorisationOf, codeKey } from '../../ledger/index.js';
import { type Dialect, operationRow, type Role, SCOPE_ROLES, sandboxCodeScope } from '../../spec/index.js';
import { formOf, onceOf } from '../checks/parameters.js';
import { type CallContext, defineRule, type Outcome, violation } from '../rule.js';

const SERVICES: readonly Role[] = ['PSP_PI', 'PSP_AI', 'PSP_IC'];

function holds({ roles }: CertificateFacts, wanted: Role): boolean {
  for (const { role } of roles) if (role === wanted) return true;
  return false;
}

export default defineRule({
  id: 'certificate/role-covers-operation',
  statement:
    'The roles cover the service: PSP_AI for consents and accounts, PSP_PI for payments, PSP_IC for funds confirmation; for token, discovery and the notification simulation any of the three, and the one that the scope names',
  clauses: ['authentication.1', 'service.rule.3'],
  sources: ['ETSI'],
  appliesTo: 'all-with-certificate',
  needs: ['certificate'],
  refusal: { code: 'ROLE_INVALID' },
  why: 'The authority has not licensed the TPP for this service.',
  fix: 'Call with a certificate that has the role: PSP_AI for accounts, PSP_PI for payments, PSP_IC for funds confirmation.',
  examples: { complies: 'GET …/accounts with PSP_AI', violates: 'GET …/accounts with PSP_PI alone' },
  check: (context) => {
    const { certificate } = context.call;
    return typeof certificate === 'string' ? 'not-applicable' : judgeRoles(certificate, context);
  },
});

export function judgeRoles(certificate: CertificateFacts, context: CallContext): Outcome {
  const { operation } = context.call;
  // Without a statement there are no roles to look at: a rule of its own says so.
  if (operation === null || certificate.encoding === 'absent' || certificate.encoding === 'unreadable')
    return 'not-applicable';
  const { role } = operationRow(operation);
  if (role === 'none') return 'not-applicable';
  const wanted = role === 'any' ? roleOfScope(scopeInQuestion(context), context.options.dialect) : role;
  const enough =
    wanted === null ? SERVICES.some((one) => holds(certificate, one)) : holds(certificate, wanted);
  return (
    enough ||
    violation(
      'certificate roles',
      wanted ?? `one of ${SERVICES.join(', ')}`,
      certificate.roles.map((one) => one.role ?? one.oid).join(', ') || 'none',
    )
  );
}

function roleOfScope(scope: string | null, { parseScope }: Dialect): Role | null {
  const parsed = scope === null ? undefined : parseScope(scope);
  return parsed === undefined ? null : SCOPE_ROLES[parsed.service];
}

/** The scope of the code, refresh token or authorisation that the call names; null where nothing is known of it. */
function scopeInQuestion({ call, ledger, fingerprint }: CallContext): string | null {
  if (call.operation === 'oauth.discovery')
    return (
      authorisationOf(ledger, queryValue(call, 'authorizationId') ?? '', call.tpp ?? undefined)?.scope ?? null
    );
  if (call.operation !== 'oauth.token') return null;
  const form = formOf(call);
  const code = onceOf(form, 'code');
  if (code !== undefined)
    return sandboxCodeScope(code) ?? ledger.codes.get(codeKey(code, fingerprint))?.scope ?? null;
  const refreshToken = onceOf(form, 'refresh_token');
  return refreshToken === undefined
    ? null
    : (ledger.refreshTokens.get(fingerprint(refreshToken))?.scope ?? null);
}
