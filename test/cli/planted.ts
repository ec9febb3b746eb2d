/** Calls that name a person in many places, and a store that holds them beside those of somebody else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LocalStore, noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { record, type Sent } from '../report/a-recording.js';
import { CONSENT_BODY } from '../rules/requests-of.js';

export interface Person {
  readonly consent: string;
  readonly name: string;
  readonly iban: string;
}

export const ANNA: Person = {
  consent: '7c1d0a52-66f0-4c3b-9d1b-0f5f5b6c7a11',
  name: 'Wilhelmina Planted',
  iban: 'BE68539007547034',
};
export const BEN: Person = {
  consent: '2f9b7a7e-0d1c-4f43-8a51-92a5e1f0c3d4',
  name: 'Benedict Other',
  iban: 'BE71096123456769',
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const spaced = (iban: string): string => iban.replaceAll(/(.{4})/g, '$1 ').trim();

/** Each of a call that the consent is found by, with the name in another place. */
export function placesOf({ consent, name, iban }: Person): readonly Sent[] {
  const params = { consentId: consent };
  const read = { operation: 'consents.read', params } as const;
  const accounts = { operation: 'accounts.list', headers: { 'Consent-ID': consent } } as const;
  const long = `${name} ${'.'.repeat(300)}`;
  const answers: readonly NonNullable<Sent['answer']>[] = [
    { body: { consentStatus: 'valid', ownerName: name } },
    {
      body: { tppMessages: [{ category: 'ERROR', code: 'CONSENT_INVALID', text: `${name} revoked it` }] },
      status: 401,
    },
    { body: `<html><title>${name}</title>`, headers: { 'Content-Type': 'text/html' } },
    { headers: { 'X-Owner': name } },
    { headers: { Location: `https://tpp.example/cb?name=${encodeURIComponent(name)}` }, status: 302 },
    { body: { accounts: [{ iban, name }, { iban: spaced(iban) }, { iban: iban.toLowerCase() }] } },
    { body: { remittanceInformationUnstructured: `Thanks to ${name}` } },
    { body: { token: `${base64('{"alg":"none"}')}.${base64(JSON.stringify({ name }))}.` } },
    { body: { text: long } },
    { body: { text: long } },
    { body: { text: `${name} ${'#'.repeat(20_000)}` } },
  ];
  const headers: readonly Record<string, string>[] = [
    { 'PSU-ID': name },
    { 'PSU-Corporate-ID': name },
    { 'PSU-User-Agent': `Browser of ${name}` },
    { 'User-Agent': `Browser of ${name}` },
    { 'TPP-Redirect-URI': `https://tpp.example/${encodeURIComponent(name)}` },
    { 'X-Note': base64(name) },
    { 'X-Odd': name },
    { Forwarded: `for="${name}"` },
  ];
  const queries = [`name=${encodeURIComponent(name)}`, `iban=${iban}`, `q=${name.replace(' ', '+')}`];
  const bodies: readonly unknown[] = [
    { ...CONSENT_BODY, note: name },
    { ...CONSENT_BODY, account: { iban } },
    `not JSON at all, by ${name}`,
    { deep: [{ deeper: { deepest: name } }] },
    base64(name),
  ];
  return [
    {
      call: { operation: 'consents.create', body: { ...CONSENT_BODY, psu: name } },
      answer: { status: 201, body: { consentId: consent } },
    },
    ...answers.map((answer) => ({ call: read, answer })),
    ...answers.map((answer) => ({ call: accounts, answer })),
    ...headers.map((more) => ({ call: { ...read, headers: more }, answer: {} })),
    ...headers.map((more) => ({
      call: { ...accounts, headers: { ...accounts.headers, ...more } },
      answer: {},
    })),
    ...queries.map((query) => ({ call: { ...read, query }, answer: {} })),
    ...queries.map((query) => ({ call: { ...accounts, query }, answer: {} })),
    ...bodies.map((body) => ({ call: { ...read, method: 'PUT', body }, answer: { status: 405 } })),
    { call: { target: `/${encodeURIComponent(name)}/consents/${consent}/nowhere` }, answer: { status: 404 } },
    {
      call: {
        listener: 'psu',
        method: 'POST',
        target: `/login?scope=AIS:${consent}`,
        form: { user: name, action: 'ok' },
      },
      answer: { body: `<p>Welcome, ${name}</p>`, headers: { 'Content-Type': 'text/html' } },
    },
    {
      call: {
        listener: 'callback',
        method: 'POST',
        target: '/notify',
        body: { 'consent-ID': consent, text: name },
      },
      answer: null,
      with: { fault: { kind: 'refused', message: `nobody listens for ${name}, ${consent}` } },
    },
  ];
}

/** Notes of a journal, by an operator. */
export function noteAbout(store: LocalStore, { name, consent }: Person): void {
  noteIn(store, 'june', { at: NOW + 1, kind: 'mark', settings: { text: `${name} called about ${consent}` } });
}

export function plant(store: LocalStore, person: Person): void {
  record(store, placesOf(person));
  noteAbout(store, person);
}

/** The files beside a path, and others, that hold one of the texts, in UTF-8. */
export function filesWith(path: string, texts: readonly string[], others: readonly string[] = []): string[] {
  const beside = readdirSync(dirname(path)).filter((file) => file.startsWith(basename(path)));
  const files = [
    ...beside.map((file) => join(dirname(path), file)),
    ...others.filter((one) => existsSync(one)),
  ];
  return files.filter((file) => {
    const bytes = readFileSync(file);
    return texts.some((text) => bytes.includes(text) || bytes.includes(text.toLowerCase()));
  });
}
