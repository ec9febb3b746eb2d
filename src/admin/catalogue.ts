/** `/api/rules`, `/api/certificates`, `/api/waivers`: what is judged by, and who was seen, with how often. */
import * as z from 'zod';
import { daysLeft } from '../certificate/index.js';
import { RULES } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import { route } from './api/route.js';
import { count, named, ofSession, party, type Shown, severity as severityFound } from './api/schemas.js';
import {
  type CertificateFile,
  calendarRow,
  certificate,
  decodeCertificate,
  decoded,
  type ShownCertificate,
  wantedCertificate,
} from './certificate.js';
import type { OwnCertificate } from './live/port.js';
import type { SessionView } from './live/session-view.js';
import { attach } from './sessions.js';

const severity = z.enum(['must', 'should', 'note', 'off']);

const rule = named(
  'Rule',
  z.object({
    id: z.string(),
    statement: z.string(),
    judges: party,
    severity: z
      .object({ sandbox: severity, production: severity })
      .describe('In each profile, as the catalogue has it.'),
    clauses: z.array(z.string()),
    why: z.string(),
    fix: z.string(),
    file: z.string().nullable().describe('The file of an own rule; null: the rule is of the catalogue.'),
    found: count.describe('In how many of the newest 10,000 exchanges of the session, and those since.'),
    worst: severityFound
      .nullable()
      .describe(
        'The gravest severity that it was found with there, where no waiver let it pass: settings, and rules themselves, may differ from the profile.',
      ),
    exchange: z.string().nullable().describe('The newest of them.'),
  }),
);

const waiver = z.object({
  rule: z.string(),
  match: z
    .object({
      operation: z.string().min(1).optional(),
      tpp: z.string().min(1).optional(),
      path: z.string().min(1).optional(),
    })
    .optional(),
  reason: z.string().min(1, { error: 'a reason is expected' }).max(500),
  until: z.iso.date({ error: 'a date YYYY-MM-DD is expected' }),
});
const waivers = named('Waivers', z.object({ waivers: z.array(waiver) }));

export type ShownRule = Shown<typeof rule>;
export const CATALOGUE_ROUTES = [
  route('GET /api/rules', 'views', {
    says: 'the catalogue of rules and own rules, with the number of findings of each in the session',
    query: ofSession,
    answer: z.array(rule),
    handle: async (views, { query: { session: name = views.port.session() } }) => {
      const view = await views.of(name);
      return [...RULES, ...views.port.ownRules()].map((one) => {
        const { count: found = 0, worst = null, exchange = null } = view.rules.get(one.id) ?? {};
        return { ...one, file: one.own?.file.name ?? null, found, worst, exchange };
      });
    },
  }),
  route('GET /api/certificates', 'views', {
    says: 'test certificates, the gateway’s own, and those shown by calls of the session, with the days left',
    query: ofSession,
    answer: z.array(certificate),
    handle: async (views, { query: { session: name = views.port.session() } }) => {
      const { port } = views;
      const now = port.now(name);
      return listed(await port.files(), await views.of(name), port.ownCertificates(), now);
    },
  }),
  route('GET /api/certificates/:fingerprint', 'views', {
    says: 'one of them, decoded: its parts as a tree, and the faults of each part by the rules of the profile',
    query: ofSession,
    answer: decoded,
    handle: async (
      views,
      { params: { fingerprint = '' }, query: { session: name = views.port.session() } },
    ) => {
      const { port } = views;
      const { exchange = '' } = (await views.of(name)).certificates.get(fingerprint) ?? {};
      const shown = (await port.store.find(exchange))?.exchange.call.certificate;
      const facts = (await port.factsOf(fingerprint)) ?? shown;
      if (typeof facts !== 'object')
        throw new SandgateError('certificate.not-seen', { fingerprint: fingerprint.slice(0, 100) });
      return decodeCertificate(facts, port.judgedBy(), port.now(name));
    },
  }),
  route('POST /api/certificates', 'issue', {
    says: 'makes a test certificate with the test CA and gives it with its key, as `"format":"zip"`, `p12` or `pem`; neither is kept. 409 where another source than the emulator answers, or another CA is trusted',
    body: wantedCertificate,
    answer: { media: 'application/octet-stream' },
    handle: async ({ now }, { body, reply }) => {
      const bytes = await now(body);
      attach(reply, `${body.name}.${body.format}`);
      return bytes;
    },
  }),
  route('GET /api/certificates/calendar', 'calendar', {
    says: 'certificates of the gateway, its CAs, for the bank, and of TPPs in the store: when each ends, what stops then, and which one follows',
    answer: z.array(calendarRow),
    handle: ({ rows }) => rows(),
  }),
  route('GET /api/waivers', 'waivers', {
    says: 'the waivers, with their ends and reasons',
    answer: waivers,
    handle: async ({ current }) => ({ waivers: await current() }),
  }),
  route('POST /api/waivers', 'waivers', {
    says: 'waives a known finding from the next call on, `{"rule","match"?,"reason","until"}`; noted in the session. It lasts until restart (of all gateways that share a store), unless the configuration has it',
    body: waiver,
    answer: waivers,
    handle: async ({ add }, { body }) => ({ waivers: await add(body) }),
  }),
];

function listed(
  files: readonly CertificateFile[],
  { certificates }: SessionView,
  own: readonly OwnCertificate[],
  now: number,
): ShownCertificate[] {
  const known = new Map<string, CertificateFile>();
  const plain = { name: null, organisation: null, tpp: null, flaw: null, canResend: false };
  for (const one of own) known.set(one.fingerprint, { ...plain, ...one });
  for (const file of files)
    known.set(file.fingerprint, { ...file, use: known.get(file.fingerprint)?.use ?? file.use });
  for (const one of certificates.values())
    if (!known.has(one.fingerprint)) known.set(one.fingerprint, { ...plain, use: 'tpp', ...one });
  return [...known.values()].map((one) => {
    const { exchanges = 0, last, exchange = null } = certificates.get(one.fingerprint) ?? {};
    return {
      ...one,
      daysLeft: daysLeft(one.notAfter, now),
      exchanges,
      last: last === undefined ? null : new Date(last).toISOString(),
      exchange,
    };
  });
}
