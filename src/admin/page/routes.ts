/** The live page: one document for every address, its program and its style sheet. Nothing is loaded from elsewhere. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { NamedProfile } from '../../spec/index.js';
import { loadOnce } from '../load-once.js';

const TYPES = { 'main.js': 'text/javascript', 'main.css': 'text/css' } as const;
type Name = keyof typeof TYPES;
type PageFiles = Readonly<Record<Name, { readonly text: string; readonly etag: string }>>;
const NAMES = Object.keys(TYPES) as Name[];

/** Reads the built page files, named by their hash where they are asked for again; null where the page was not built. */
async function read(folder: string): Promise<PageFiles | null> {
  try {
    const all = NAMES.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return [name, { text, etag: `"${hash('sha256', text, 'base64url')}"` }];
    });
    return Object.fromEntries(await Promise.all(all));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function addPageFiles(server: FastifyInstance, files: () => Promise<PageFiles | null>): void {
  for (const name of NAMES)
    server.get(`/page/${name}`, async (request, reply) => {
      const file = (await files())?.[name];
      if (file === undefined) return reply.callNotFound();
      reply.headers({ 'Cache-Control': 'no-cache', ETag: file.etag });
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
      return reply.type(`${TYPES[name]}; charset=utf-8`).send(file.text);
    });
}

/** Every view has an address of its own; the page's program shows the view that its address names. */
const ADDRESSES = [
  '/',
  '/exchanges',
  '/exchanges/:id',
  '/bank',
  '/rules',
  '/certificates',
  '/sessions',
  '/settings',
  '/report',
] as const;

/** The page writes what it shows as text: no string becomes markup or script. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const;

export function addPageRoutes(server: FastifyInstance, folder: string, about: () => PageAbout): void {
  const files = loadOnce(() => read(folder)).get;
  addPageFiles(server, files);
  for (const path of ADDRESSES)
    server.get(path, async (_request, reply) => {
      if ((await files()) === null)
        return reply.code(503).send({ error: 'The live page was not built. Run `npm run build`.' });
      return reply.headers(HEADERS).send(documentOf(about()));
    });
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

function documentOf(about: PageAbout): string {
  const attribute = JSON.stringify(about).replace(/[&"<]/g, (sign) => ESCAPES[sign] ?? sign);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sandgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/main.css">
<script type="module" src="/page/main.js"></script>
</head>
<body data-about="${attribute}">
<noscript>
<h1>Sandgate</h1>
<p>This page needs JavaScript. Without it, <code>sandgate sessions show</code> lists the exchanges in a terminal, and the <a href="/api/openapi.json">admin API</a> offers the same data.</p>
</noscript>
</body>
</html>
`;
}

/** The live page starts with this; it asks the API for the rest. */
export interface PageAbout {
  readonly version: string;
  readonly urls: { readonly api: string; readonly psu: string };
  readonly bank: string | null;
  /** null: the built-in interface. */
  readonly bankProfile: NamedProfile | null;
  /** Command lines that work at the bank that runs, and the folder that their certificates are in. */
  readonly first: {
    readonly lines: readonly (readonly [does: string, line: string])[];
    readonly canMakeJourney: boolean;
    readonly certificates: string;
  };
  readonly actions: boolean;
  readonly fields: readonly (readonly [name: string, meaning: string, example: string])[];
  readonly outcomes: readonly (readonly [scenario: string, meaning: string])[];
}

export interface PagePort {
  readonly folder: string;
  readonly about: () => Omit<PageAbout, 'actions' | 'fields' | 'outcomes'>;
}
