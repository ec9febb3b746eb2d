/** Reads the options of `sandgate certs issue`. */
import { type IssueOrder, KEY_TYPES } from '../app/certificates/index.js';
import type { RoleName } from '../certificate/index.js';
import { DAY_MS, isCountry, isNcaCode, NCA_CODES, SandgateError } from '../spec/index.js';
import type { FlagsOf } from './options.js';

export const ISSUE_OPTIONS = [
  ['--name <NAME>', 'Name of the files: NAME.pem and NAME.key.', { required: true }],
  ['--roles <LIST>', 'PSD2 roles: any of PI, AI, IC and AS; may be empty.', { fallback: 'PI,AI,IC' }],
  ['--organisation <TEXT>', 'Name of the organisation (TPP).', { fallback: 'Test TPP' }],
  ['--number <TEXT>', 'Authorisation number of the organisation.', { fallback: '0123456789' }],
  ['--country <CC>', 'Country of the NCA (two letters).', { fallback: 'BE' }],
  ['--nca <CODE>', 'Code of the NCA.', { fallback: 'NBB' }],
  ['--not-before <DATE>', 'Start of validity; may be in the past or future (default: yesterday).'],
  ['--not-after <DATE>', 'End of validity; may be in the past.'],
  ['--days <N>', 'Validity in days, instead of --not-after (default: 365).'],
  ['--key-type <TYPE>', 'Type of the key.', { choices: KEY_TYPES, fallback: 'rsa-2048' }],
  [
    '--qc-type <TYPE>',
    'Type of the qualified certificate (QcType): web is a QWAC.',
    { choices: ['web', 'eseal', 'esign', 'none'], fallback: 'web' },
  ],
  [
    '--encoding <FORM>',
    'Encoding of the PSD2 QCStatement.',
    {
      choices: ['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper', 'other-strings', 'absent'],
      fallback: 'standard',
    },
  ],
  ['--p12 [FILE]', 'Write a PKCS#12 file too (default: NAME.p12).'],
  [
    '--passphrase-file <FILE>',
    'File whose first line is the passphrase of the PKCS#12 file (default: none).',
  ],
  ['--force', 'Replace a certificate of the same name.'],
] as const;
type IssueOptions = FlagsOf<typeof ISSUE_OPTIONS>;

const LIFE_DAYS = 365;

const SHORT_ROLES: Readonly<Record<string, RoleName>> = {
  AS: 'PSP_AS',
  PI: 'PSP_PI',
  AI: 'PSP_AI',
  IC: 'PSP_IC',
};

export function readRoles(text: string): RoleName[] {
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
export function readValidity(
  options: Pick<IssueOptions, 'notBefore' | 'notAfter' | 'days'>,
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

/** `passphrase`: of the PKCS#12 file, where one is wanted. `now` in epoch ms. */
export function toOrder(options: IssueOptions, passphrase: string, now: number): IssueOrder {
  const { p12 } = options;
  return {
    name: options.name,
    organisation: {
      name: readText('organisation', options.organisation),
      number: readText('number', options.number),
      country: readCountry(options.country),
      nca: readAuthority(options.nca),
    },
    roles: readRoles(options.roles),
    keyType: options.keyType,
    qcType: options.qcType,
    encoding: options.encoding,
    ...readValidity(options, now),
    p12: p12 === undefined ? null : { file: p12 === true ? null : p12, passphrase },
    force: options.force === true,
  };
}
