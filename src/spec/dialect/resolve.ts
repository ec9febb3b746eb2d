/** A bank profile with all that it leaves to the built-in interface put in: what two of them differ in, and the built-in one itself. */
import { LIMITS } from '../limits.js';
import { PAYMENT_SERVICES } from '../operations.js';
import type { BankProfile } from './bank-profile.js';
import { BUILT_IN_PATHS, dialectOf } from './dialect.js';

/** The name of the built-in interface, which is the default. */
export const BUILT_IN_BANK = 'sandgate';

const BUILT_IN = {
  paths: BUILT_IN_PATHS,
  sca: {
    oauth: 'within',
    links: { implicit: ['scaOAuth'], explicit: ['startAuthorisation'] },
    steps: [],
  },
  access: {
    bearer: 'required',
    consent: 'created',
    boundTo: 'organisation',
    scopes: { AIS: ['AIS:{id}'], PIS: ['PIS:{id}'] },
  },
  headers: { digest: 'none', signature: 'none' },
  limits: {
    accesses: {
      count: 'calendar-day',
      number: LIMITS.accessesPerDay,
      by: 'operation',
      zone: 'Europe/Brussels',
    },
    consentDays: LIMITS.consentDays,
    historyDays: LIMITS.transactionHistoryDays,
  },
} satisfies Partial<BankProfile>;

/** Itself a profile, which says the same as the one given. undefined: the built-in interface. */
export function resolvedProfile(profile?: BankProfile): BankProfile {
  const { productsOf, productOf, approaches } = dialectOf(profile);
  const products = PAYMENT_SERVICES.map((service) => [
    service,
    Object.fromEntries(
      productsOf(service).map((name) => {
        const { code: like = 'SCT' as const, media = [] } = productOf(service, name) ?? {};
        return [name, { like, media }];
      }),
    ),
  ]);
  return {
    name: BUILT_IN_BANK,
    title: 'The built-in interface',
    standard: 'Berlin Group 1.3',
    sources: [{ where: 'docs/endpoints.md', tells: 'The interface that Sandgate speaks by default.' }],
    ...profile,
    services: Object.fromEntries(products),
    paths: { ...BUILT_IN.paths, ...profile?.paths },
    sca: { approaches: [...approaches], ...BUILT_IN.sca, ...profile?.sca },
    access: { ...BUILT_IN.access, ...profile?.access },
    headers: { ...BUILT_IN.headers, ...profile?.headers },
    limits: {
      ...BUILT_IN.limits,
      ...profile?.limits,
      accesses: { ...BUILT_IN.limits.accesses, ...profile?.limits?.accesses },
    },
  };
}
