/** The live page's program and style sheet, as the build made them: read once, named by their hash where they are asked for again. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const TYPES = { 'main.js': 'text/javascript', 'main.css': 'text/css' } as const;
type Name = keyof typeof TYPES;
const NAMES = Object.keys(TYPES) as Name[];

export interface PageFile {
  readonly text: string;
  readonly etag: string;
}

/** null where the page was not built. */
export type PageFiles = () => Promise<Readonly<Record<Name, PageFile>> | null>;

export function pageFiles(folder: string): PageFiles {
  let files: ReturnType<PageFiles> | undefined;
  return () => {
    files ??= read(folder);
    return files;
  };
}

async function read(folder: string): ReturnType<PageFiles> {
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

export function addPageFiles(server: FastifyInstance, files: PageFiles): void {
  for (const name of NAMES)
    server.get(`/page/${name}`, async (request, reply) => {
      const file = (await files())?.[name];
      if (file === undefined) return reply.callNotFound();
      reply.headers({ 'Cache-Control': 'no-cache', ETag: file.etag });
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
      return reply.type(`${TYPES[name]}; charset=utf-8`).send(file.text);
    });
}
