/** `/api/sessions`: what there is of recordings, as files and reports too; a new session, and marks in one. */
import { extname } from 'node:path';
import * as z from 'zod';
import { FORMAT_NAMES, FORMATS } from '../report/index.js';
import { SandgateError } from '../spec/index.js';
import type { SessionInfo } from '../store/index.js';
import { route } from './api/route.js';
import { count, named, type Shown, time } from './api/schemas.js';

const EXPORTS = ['cassette', 'har'] as const;

const links = z.record(z.string(), z.string()).describe('An address for each format.');

const session = named(
  'Session',
  z.object({
    name: z.string(),
    startedAt: time,
    lastAt: time,
    exchanges: count,
    current: z.boolean().describe('Calls that name none are recorded in it.'),
    marks: z.array(z.object({ at: time, text: z.string() })),
    links: z.object({ exchanges: z.string(), export: links, report: links }),
  }),
);

export type ShownSession = Shown<typeof session>;

export const SESSION_ROUTES = [
  route('GET /api/sessions', 'sessions', {
    says: 'the sessions of the store, newest first, with marks and the addresses of exports and reports',
    answer: z.array(session),
    handle: async ({ all, current }) => (await all()).map((one) => show(one, current())).reverse(),
  }),
  route('POST /api/sessions', 'sessions', {
    says: 'continues in a new session, `{"name"?}`; if the name is taken, a number is added',
    body: z.strictObject({ name: z.string().max(200).optional() }),
    answer: z.object({ session: z.string() }),
    handle: async ({ begin }, { body: { name } }) => ({ session: await begin(name) }),
  }),
  route('POST /api/sessions/:name/mark', 'sessions', {
    says: 'sets a mark in a session that is being recorded, `{"text"?}`; the live page counts from it',
    body: z.strictObject({ text: z.string().max(500).default('') }),
    answer: z.object({ at: time }),
    handle: ({ mark }, { params: { name = '' }, body }) => ({
      at: new Date(mark(name, body.text)).toISOString(),
    }),
  }),
  route('GET /api/sessions/:name/export', 'sessions', {
    says: 'a session as a file: `?format=cassette` or `har`',
    query: z.object({
      format: z.enum(EXPORTS, { error: 'cassette or har is expected' }).default('cassette'),
    }),
    answer: { media: 'application/octet-stream' },
    handle: async ({ all, write }, { params: { name = '' }, query: { format }, reply }) => {
      const found = known(await all(), name);
      attach(reply, `${found.name}.${format === 'har' ? 'har' : 'cassette.json'}`);
      return write(found, format);
    },
  }),
  route('GET /api/sessions/:name/report', 'sessions', {
    says: `the report of a session: \`?format=${FORMAT_NAMES.join('`, `')}\`; one at a time`,
    query: z.object({
      format: z
        .enum(FORMAT_NAMES, { error: `one of ${FORMAT_NAMES.join(', ')} is expected` })
        .default('html'),
    }),
    answer: { media: 'application/octet-stream' },
    handle: async ({ all, report }, { params: { name = '' }, query: { format }, reply }) => {
      const found = known(await all(), name);
      const text = await report(found, format);
      attach(reply, `${found.name}.report${extname(FORMATS[format].file)}`);
      return text;
    },
  }),
];

/** A file to keep: what is in it is no page of this listener. */
export function attach(reply: { header: (name: string, value: string) => unknown }, file: string): void {
  reply.header('Content-Disposition', `attachment; filename="${file.replace(/[^A-Za-z0-9._-]/g, '_')}"`);
  reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
}

function known(all: readonly SessionInfo[], name: string): SessionInfo {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new SandgateError('session.not-there', { name: name.slice(0, 100) });
  return found;
}

function show({ name, startedAt, lastAt, exchanges, notes }: SessionInfo, current: string): ShownSession {
  const path = `/api/sessions/${encodeURIComponent(name)}`;
  const addresses = (kind: string, formats: readonly string[]) =>
    Object.fromEntries(formats.map((format) => [format, `${path}/${kind}?format=${format}`]));
  return {
    name,
    exchanges,
    current: name === current,
    startedAt: new Date(startedAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    marks: notes.flatMap(({ at, kind, settings }) =>
      kind === 'mark' ? [{ at: new Date(at).toISOString(), text: settings.text }] : [],
    ),
    links: {
      exchanges: `/api/exchanges?${new URLSearchParams({ session: name })}`,
      export: addresses('export', EXPORTS),
      report: addresses('report', FORMAT_NAMES),
    },
  };
}
