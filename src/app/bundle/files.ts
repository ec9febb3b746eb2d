/** The files of a bundle, each made of its session and its report: alike for who writes a bundle and for who checks one. */
import type { Pieces } from '../../files/index.js';
import { type Report, reportBytes } from '../../report/index.js';
import { catalogueDigest, RULES } from '../../rules/index.js';
import { type BankProfile, clauseRow, dialectOf, isSameProfile, SandgateError } from '../../spec/index.js';
import { type Store, sessionLines } from '../../store/index.js';
import { makeDossier } from '../report/index.js';
import { type ExportOptions, exportSession } from '../sessions/index.js';

export const SESSION = 'session.ndjson';
export const REPORT = 'report.json';
export const DOSSIER = 'report.pdf';
export const RULES_FILE = 'rules.json';

export interface BundleFile {
  readonly name: string;
  /** For somebody who opens the archive and knows nothing of it. */
  readonly what: string;
  readonly pieces: () => Pieces | Promise<Pieces>;
}

export interface SessionStore {
  readonly store: Store;
  /** Its file. */
  readonly path: string;
}

export async function filesOf({ store, path }: SessionStore, report: Report): Promise<BundleFile[]> {
  const name = report.head.recording.session ?? '';
  const session = (await store.sessions()).find((one) => one.name === name);
  if (session === undefined) throw new SandgateError('session.not-in-store', { name });
  const from = { address: path, passwordFile: undefined, keyFile: '' };
  const { bankProfile, segment } = report.recipe.judging;
  const cassette: ExportOptions = {
    format: 'cassette',
    version: report.head.gateway.version,
    verdicts: true,
    dialect: dialectOf(bankProfile, segment),
  };
  return [
    { name: REPORT, what: 'The report, for programs.', pieces: () => rendered(report, 'json') },
    { name: 'report.html', what: 'The report, for people.', pieces: () => rendered(report, 'html') },
    {
      name: DOSSIER,
      what: 'The report on three pages, to hand over.',
      pieces: async () => [await makeDossier(report, { sign: null, seal: null })],
    },
    {
      name: 'cassette.json',
      what: 'The recorded exchanges with their verdicts, to read, to replay and to judge again.',
      pieces: () => exportSession(store, session, cassette),
    },
    {
      name: SESSION,
      what: 'The session as it was stored: each line is a row of its chain, by which verify shows that nothing was changed.',
      pieces: () => sessionLines(from, name),
    },
    ...(await evidenceOf(store, name)),
    {
      name: RULES_FILE,
      what: 'The rules that judge, and the digests of own rules.',
      pieces: () => [jsonText(rulesOf(report))],
    },
    ...profilesOf(report).map((profile, i) => ({
      name: i === 0 ? 'bank-profile.json' : `bank-profile-${i + 1}.json`,
      what: 'The profile of the bank’s interface.',
      pieces: () => [jsonText(profile)],
    })),
  ];
}

const rendered = async (report: Report, format: 'json' | 'html') => [await reportBytes(report, format)];

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** They stand in the session too; apart, other programs can check them. */
async function evidenceOf(store: Store, session: string): Promise<BundleFile[]> {
  const checkpoints = await store.chains.notes(session, 'checkpoint');
  const stamps = await store.chains.notes(session, 'timestamp');
  const signed = checkpoints.map(({ settings }) => `${String(settings.statement).trimEnd()}\n`);
  return [
    ...(signed.length === 0
      ? []
      : [
          {
            name: 'checkpoints.jws',
            what: 'What the gateway signed while it recorded, a JWS in each line.',
            pieces: () => signed,
          },
        ]),
    ...(stamps.length === 0
      ? []
      : [
          {
            name: 'time-stamps.json',
            what: 'Time stamps (RFC 3161) of checkpoints, each with the digest of its checkpoint.',
            pieces: () => [
              jsonText(stamps.map(({ settings: { checkpoint, token } }) => ({ checkpoint, token }))),
            ],
          },
        ]),
  ];
}

function rulesOf({ head }: Report) {
  const rules = RULES.map(({ id, judges, severity, statement, why, fix, clauses }) => ({
    ...{ id, judges, severity, statement, why, fix },
    clauses: clauses.map((clause) => {
      const { section, text } = clauseRow(clause);
      return { id: clause, section, text };
    }),
  }));
  return { digest: catalogueDigest(), rules, ownRules: head.ownRules ?? [] };
}

/** Profiles that it was judged by; the built-in interface has none. */
function profilesOf({ recipe }: Report): BankProfile[] {
  const found: BankProfile[] = [];
  for (const { bankProfile } of recipe.judgings ?? [recipe.judging])
    if (bankProfile !== undefined && !found.some((one) => isSameProfile(one, bankProfile)))
      found.push(bankProfile);
  return found;
}
