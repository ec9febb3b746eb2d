/** The forms in which load balancers forward the client certificate. */
import { readEnvoy } from './envoy.js';
import { readHaproxy } from './haproxy.js';
import { readNginx } from './nginx.js';
import type { ForwardedForm } from './read.js';
import { readRfc9440 } from './rfc9440.js';

/** By the name that users give them. Header names are in lower case. */
export const FORWARDED_FORMS = {
  rfc9440: { headers: ['client-cert', 'client-cert-chain'], read: readRfc9440 },
  nginx: { headers: ['x-ssl-cert'], read: readNginx },
  envoy: { headers: ['x-forwarded-client-cert'], read: readEnvoy },
  haproxy: { headers: ['x-ssl-client-cert', 'x-ssl-client-chain'], read: readHaproxy },
} as const satisfies Record<string, ForwardedForm>;

export type ForwardedFormName = keyof typeof FORWARDED_FORMS;
export const FORWARDED_FORM_NAMES = Object.keys(FORWARDED_FORMS) as [
  ForwardedFormName,
  ...ForwardedFormName[],
];
