/** Reads what a test certificate is to be, as the command line and the admin API take it. */
import type { WantedCertificate } from '../../admin/index.js';
import type { RoleName } from '../../certificate/index.js';
import { DAY_MS, isCountry, isNcaCode, NCA_CODES, SandgateError } from '../../spec/index.js';
import type { IssueOrder } from './issue.js';

type OrderOptions = Omit<WantedCertificate, 'format' | 'passphrase'>;

const LIFE_DAYS = 365;

const SHORT_ROLES: Readonly<Record<string, RoleName>> = {
  AS: 'PSP_AS',
  PI: 'PSP_PI',
  AI: 'PSP_AI',
  IC: 'PSP_IC',
};

function readRoles(text: string): RoleName[] {
  return text
    .split(',')
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '')
    .map((word) => {
      const role = SHORT_ROLES[word.replace(/^PSP_/, '')];
      if (role === undefined) throw new SandgateError('issue.role', { role: word });
      return role;
    });
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function readDate(flag: string, text: string): number {
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes 31 February for 3 March.
  const real = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time) || Number.isNaN(real.getTime()) || !real.toISOString().startsWith(text.slice(0, 10)))
    throw new SandgateError('issue.date', { flag, text });
  return time;
}

/** A missing date follows from the other one; a year if both are missing. Epoch ms. */
function readValidity(
  options: Pick<OrderOptions, 'notBefore' | 'notAfter' | 'days'>,
  now: number,
): { notBefore: number; notAfter: number } {
  const from = options.notBefore === undefined ? null : readDate('--not-before', options.notBefore);
  const to = options.notAfter === undefined ? null : readDate('--not-after', options.notAfter);
  if (to !== null && options.days !== undefined) throw new SandgateError('issue.two-ends', {});
  if (options.days !== undefined && !/^[1-9]\d{0,4}$/.test(options.days))
    throw new SandgateError('issue.days', { text: options.days });
  const days = Number(options.days ?? LIFE_DAYS);
  const notAfter = to ?? (from ?? now) + days * DAY_MS;
  const beginsBefore = Math.min(now - DAY_MS, to === null ? now - DAY_MS : to - LIFE_DAYS * DAY_MS);
  const notBefore = from ?? (notAfter > now ? now - DAY_MS : beginsBefore);
  if (notAfter <= notBefore) throw new SandgateError('issue.ends-before', {});
  if (notAfter > Date.UTC(9999, 11, 31)) throw new SandgateError('issue.ends-late', {});
  return { notBefore, notAfter };
}

function readCountry(text: string): string {
  const code = text.toUpperCase();
  if (!isCountry(code)) throw new SandgateError('issue.country', { text });
  return code;
}

function readAuthority(text: string): string {
  const code = text.toUpperCase();
  if (!/^[A-Z]{2,8}$/.test(code)) throw new SandgateError('issue.nca', { text });
  return code;
}

/** A sentence where nobody has published such an authority: a sandbox may have one of its own, a typing error too. */
export function authorityWarning({ country, nca }: IssueOrder['organisation']): string | null {
  if (isNcaCode(country, nca)) return null;
  const own = Object.keys(NCA_CODES).filter((code) => code.startsWith(`${country}-`));
  const known = own.length === 0 ? `of ${country} none is` : `of ${country} there is ${own.join(', ')}`;
  return `${country}-${nca} is no published authority (${known}): certificate/nca-known finds it. For another one give --country and --nca.`;
}

function readText(flag: string, text: string): string {
  if (text.trim() === '' || text.length > 64) throw new SandgateError('issue.length', { flag: `--${flag}` });
  return text;
}

/** @throws SandgateError for what cannot be meant. `now` in epoch ms */
export function toOrder(options: OrderOptions, now: number): IssueOrder {
  const { name, keyType, qcType, encoding } = options;
  return {
    ...{ name, keyType, qcType, encoding },
    organisation: {
      name: readText('organisation', options.organisation),
      number: readText('number', options.number),
      country: readCountry(options.country),
      nca: readAuthority(options.nca),
    },
    roles: readRoles(options.roles),
    ...readValidity(options, now),
  };
}
