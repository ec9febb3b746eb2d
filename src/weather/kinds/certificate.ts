/** Certificates that one side does not accept: the bank's at the client, or the client's at the bank. */
import * as z from 'zod';
import { answerRefusal } from '../../answer/index.js';
import { type ConnectionKind, callKind, type Kind, type OtherServer } from '../kind.js';

const ALERT_NAMES = [
  ...(['handshake_failure', 'bad_certificate', 'certificate_revoked'] as const),
  ...(['certificate_expired', 'unknown_ca', 'access_denied'] as const),
] as const;

/** RFC 8446 6.2. */
const ALERTS: Readonly<Record<(typeof ALERT_NAMES)[number], number>> = {
  handshake_failure: 40,
  bad_certificate: 42,
  certificate_revoked: 44,
  certificate_expired: 45,
  unknown_ca: 48,
  access_denied: 49,
};

const refusing = z.strictObject({
  alert: z.enum(ALERT_NAMES).default('bad_certificate'),
});

const showing = (connection: OtherServer, says: string): ConnectionKind => ({
  family: 'certificate',
  says,
  takes: z.strictObject({}),
  connection,
  signs: connection !== 'unknown-ca',
});

const REVOKED = 'The client certificate is revoked.';

export const CERTIFICATE: Readonly<Record<string, Kind>> = {
  'server-expired': showing('expired', 'The API listener shows a server certificate that has expired.'),
  'server-unknown-ca': showing(
    'unknown-ca',
    'The API listener shows a server certificate of a CA that nobody knows.',
  ),
  'server-renewed': showing(
    'renewed',
    'The API listener shows a new server certificate of the same CA, with another key.',
  ),
  'client-refused': {
    family: 'certificate',
    says: 'The handshake ends with a TLS `alert` in answer to the first message of the client, as if its certificate was refused.',
    takes: refusing,
    connection: (given) => ({ alert: ALERTS[refusing.parse(given).alert] }),
    signs: false,
  },
  'client-revoked': callKind({
    family: 'certificate',
    says: 'The call is refused with 401 CERTIFICATE_REVOKED (at the token endpoint invalid_client). The bank is not asked.',
    takes: z.strictObject({}),
    meets: ({ listener }) => listener === 'api',
    instead: ({ call }) => ({
      answer: answerRefusal(
        call.operation === 'oauth.token'
          ? { kind: 'token', error: 'invalid_client', description: REVOKED }
          : {
              kind: 'messages',
              status: 401,
              messages: [{ code: 'CERTIFICATE_REVOKED', text: REVOKED }],
              headers: [],
            },
        call,
        'gateway',
      ),
    }),
  }),
};
