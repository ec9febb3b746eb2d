/** The code blocks of every document that users read. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  /** `docs/ci.md`, from the root. */
  readonly document: string;
  readonly line: number;
  /** Empty or `sh`: commands. */
  readonly language: string;
  readonly text: string;
}

export interface CommandLine {
  readonly document: string;
  readonly line: number;
  /** Without the prompt of a transcript. */
  readonly text: string;
}

const FENCE = /^```(\w*)\n(.*?)^```$/gms;

function documents(): string[] {
  const under = (folder: string) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`);
  return ['README.md', 'CONTRIBUTING.md', ...under('docs'), ...under('examples')].sort();
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(`${ROOT}${document}`, 'utf8');
  return [...text.matchAll(FENCE)].map(({ 1: language = '', 2: block = '', index }) => ({
    document,
    line: text.slice(0, index).split('\n').length + 1,
    language,
    text: block,
  }));
}

export const BLOCKS: readonly Block[] = documents().flatMap(blocksOf);

export const isCommands = ({ language }: Block): boolean => language === '' || language === 'sh';

/** In a transcript only what stands behind a prompt is typed; the rest is what came. */
export function commandLines({ document, line, text }: Block): CommandLine[] {
  const lines = text.split('\n').map((one, i) => ({ document, line: line + i, text: one }));
  const isTranscript = lines.some((one) => one.text.startsWith('$ '));
  return lines
    .filter((one) => (isTranscript ? one.text.startsWith('$ ') : one.text.trim() !== ''))
    .map((one) => ({ ...one, text: isTranscript ? one.text.slice(2) : one.text }));
}

/** What a document says in passing, and what a pipeline of its reader holds. */
export function mentions(): CommandLine[] {
  const ofPipelines = BLOCKS.filter(({ language }) => language === 'yaml').flatMap(commandLines);
  const inText = documents().flatMap((document) =>
    readFileSync(`${ROOT}${document}`, 'utf8')
      .replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ' '))
      .split('\n')
      .flatMap((text, i) =>
        [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => ({ document, line: i + 1, text: span })),
      ),
  );
  return [...ofPipelines, ...inText].flatMap(({ text, ...place }) => {
    const found = /(?:^|[\s:])((?:npx )?sandgate [a-z].*)$/.exec(text)?.[1];
    return found === undefined ? [] : [{ ...place, text: found }];
  });
}
