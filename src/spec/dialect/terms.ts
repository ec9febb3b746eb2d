/** A bank's demands on calls and its words in answers, beside paths and products: read from its profile once. */
import { LIMITS } from '../limits.js';
import { parseScope as parseBuiltIn, SCOPE_ROLES, type Scope, scopeText } from '../oauth.js';
import type { OperationId, StatusMember } from '../operations.js';
import type { BankProfile, ScaApproach } from './bank-profile.js';

type Sca = NonNullable<BankProfile['sca']>;
type Access = NonNullable<BankProfile['access']>;
type Accesses = NonNullable<NonNullable<BankProfile['limits']>['accesses']>;
type Service = Scope['service'];

export interface BodyMembers {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Values that a member may have beyond the standard's. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export interface Terms {
  /** Whether reads of accounts carry an access token. */
  readonly bearer: NonNullable<Access['bearer']>;
  readonly hasConsents: boolean;
  /** Whether tokens and consents belong to the certificate, not to all of its organisation. */
  readonly isBoundToCertificate: boolean;
  /** `within`: a token follows from the authorisation of a consent. */
  readonly oauth: NonNullable<Sca['oauth']>;
  readonly approaches: ReadonlySet<ScaApproach>;
  /** Links one of which a creation must have; undefined: those of the built-in interface. */
  readonly creationLinks: Sca['links'];
  /** Whether the TPP confirms an SCA by redirect, with the code that comes with the PSU. */
  readonly confirms: boolean;
  /** Whether consents and payments are created with a token already. */
  readonly isTokenFirst: boolean;
  /** Members of a request's body that the bank requires beyond the built-in interface, and those it can do without. */
  readonly bodyMembers: (operation: OperationId | null) => BodyMembers;
  /** How accesses are counted, where the profile says it. */
  readonly accesses: Accesses;
  /** Accesses a day without the PSU, and days of a consent and of transactions. */
  readonly accessesPerDay: number;
  readonly consentDays: number;
  readonly historyDays: number;
  readonly isFurtherStatus: (member: StatusMember, status: string) => boolean;
  /** Statuses with which an error code of the bank's own may come. */
  readonly statusesOf: (code: string) => readonly number[] | undefined;
  /** Whether only this bank has the link, or leads on to the SCA by it. */
  readonly isFurtherLink: (name: string) => boolean;
  /** Whether it is a test IBAN, which no check digit fits. */
  readonly isTestIban: (iban: string) => boolean;
  readonly kindsOfAccess: readonly string[];
  /** Forms of a scope in words, for findings. */
  readonly scopeForms: string;
  /** Whether a scope, or each of several, has a form of the bank. */
  readonly isScope: (scope: string) => boolean;
  /** The consent or payment that a scope names; undefined if it names none. */
  readonly parseScope: (scope: string) => Scope | undefined;
  /** The scope of a consent or payment in the bank's own form. */
  readonly writeScope: (scope: Scope) => string;
  /** The services that a scope gives access to, by its words. */
  readonly servicesOf: (scope: string) => ReadonlySet<Service>;
  /** All scopes that name no consent or payment. */
  readonly clientScope: string;
  /** Whether an authorization request names its consent or payment by the scope alone. */
  readonly authorisesByScope: boolean;
  /** Whether scopes of the service name a consent or payment at all. */
  readonly scopesNameResources: (service: Service) => boolean;
}

const NONE: readonly string[] = [];
const NO_MEMBERS: BodyMembers = { required: NONE, optional: NONE, values: {} };

/** The first is the bank's choice. */
export function approachesOf(profile: BankProfile | undefined): ReadonlySet<ScaApproach> {
  const { oauth = 'within', approaches } = profile?.sca ?? {};
  return new Set(approaches ?? [oauth === 'within' ? 'oauth' : 'redirect']);
}

export function termsOf(profile: BankProfile | undefined): Terms {
  const { sca = {}, access = {}, limits = {}, statuses, codes = {}, links, ibans } = profile ?? {};
  const { oauth = 'within' } = sca;
  const furtherLinks = new Set([...(links ?? []), ...Object.values(sca.links ?? {}).flat()]);
  const testIbans = new Set(ibans);
  return {
    bearer: access.bearer ?? 'required',
    hasConsents: access.consent !== 'none',
    isBoundToCertificate: access.boundTo === 'certificate',
    oauth,
    approaches: approachesOf(profile),
    creationLinks: sca.links,
    confirms:
      sca.steps?.includes('confirmation') === true &&
      profile?.paths?.offers?.some((id) => id.endsWith('.update')) === true,
    isTokenFirst: oauth === 'before' && (access.bearer ?? 'required') === 'required',
    bodyMembers: bodyTerms(profile),
    accesses: limits.accesses ?? {},
    accessesPerDay: limits.accesses?.number ?? LIMITS.accessesPerDay,
    consentDays: limits.consentDays ?? LIMITS.consentDays,
    historyDays: limits.historyDays ?? LIMITS.transactionHistoryDays,
    isFurtherStatus: (member, status) => statuses?.[member]?.includes(status) === true,
    statusesOf: (code) => (Object.hasOwn(codes, code) ? codes[code] : undefined),
    isFurtherLink: (name) => furtherLinks.has(name),
    isTestIban: (iban) => testIbans.has(iban),
    kindsOfAccess: access.kinds ?? NONE,
    ...scopeTerms(access.scopes, oauth),
  };
}

function bodyTerms(profile: BankProfile | undefined): Terms['bodyMembers'] {
  const bodies = new Map(
    Object.entries(profile?.bodies ?? {}).map(([id, { required = NONE, optional = NONE, values = {} }]) => [
      id,
      { required, optional, values },
    ]),
  );
  return (operation) => bodies.get(operation ?? '') ?? NO_MEMBERS;
}

type ScopeTerms = Pick<
  Terms,
  | 'scopeForms'
  | 'isScope'
  | 'parseScope'
  | 'writeScope'
  | 'servicesOf'
  | 'clientScope'
  | 'authorisesByScope'
  | 'scopesNameResources'
>;

const builtInScopes = (oauth: Terms['oauth']): ScopeTerms => ({
  scopeForms: 'AIS:<consent id> or PIS:<payment id>',
  isScope: (scope) => parseBuiltIn(scope) !== undefined,
  parseScope: parseBuiltIn,
  writeScope: scopeText,
  clientScope: '',
  authorisesByScope: false,
  servicesOf: (scope) => new Set([parseBuiltIn(scope)?.service ?? []].flat()),
  // A token that comes first cannot name what is created later.
  scopesNameResources: () => oauth === 'within',
});

const ID = '{id}';
const services = Object.keys(SCOPE_ROLES) as Service[];

function scopeTerms(scopes: Access['scopes'], oauth: Terms['oauth']): ScopeTerms {
  if (scopes === undefined) return builtInScopes(oauth);
  const forms = services.flatMap((service) => (scopes[service] ?? []).map((form) => ({ service, form })));
  const idIn = (form: string, word: string): string | undefined => {
    const [before = '', after = ''] = form.split(ID);
    const fits =
      word.startsWith(before) && word.endsWith(after) && word.length > before.length + after.length;
    return fits ? word.slice(before.length, word.length - after.length) : undefined;
  };
  const formsOf = (service: Service): readonly string[] => scopes[service] ?? NONE;
  const naming = forms.filter(({ form }) => form.includes(ID));
  const plain = new Set(forms.flatMap(({ form }) => (form.includes(ID) ? [] : form.split(' '))));
  const find = (word: string): Scope | undefined => {
    for (const { service, form } of naming) {
      const id = idIn(form, word);
      if (id !== undefined) return { service, id };
    }
    return undefined;
  };
  const wordsOf = (scope: string) => scope.split(' ').filter((word) => word !== '');
  return {
    scopeForms: forms.map(({ form }) => form.replace(ID, '<id>')).join(', '),
    isScope: (scope) => {
      const words = wordsOf(scope);
      return words.length > 0 && words.every((word) => plain.has(word) || find(word) !== undefined);
    },
    parseScope: (scope) =>
      wordsOf(scope)
        .map(find)
        .find((found) => found !== undefined),
    // A form without the id stands for all of them.
    writeScope: (scope) => {
      const own = formsOf(scope.service);
      const form = own.find((one) => one.includes(ID));
      return form?.replace(ID, scope.id) ?? (own.length === 0 ? scopeText(scope) : own.join(' '));
    },
    servicesOf: (scope) =>
      new Set(
        wordsOf(scope).flatMap((word) => {
          const named = find(word)?.service;
          const isOf = ({ form }: { form: string }) => form.split(' ').includes(word);
          return named === undefined ? forms.filter(isOf).map(({ service }) => service) : [named];
        }),
      ),
    clientScope: [...plain].join(' '),
    authorisesByScope: naming.length > 0,
    scopesNameResources: (service) => naming.some((one) => one.service === service),
  };
}
