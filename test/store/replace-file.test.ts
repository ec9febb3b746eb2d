import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceFile } from '../../src/store/index.js';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-replace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In pieces that others come in between. */
async function* slowly(text: string): AsyncGenerator<string> {
  for (const piece of text) {
    await new Promise((resolve) => setImmediate(resolve));
    yield piece;
  }
}

it('of two writers at once one file stays, whole, and no draft of either', async () => {
  const folder = aFolder();
  const file = join(folder, 'deep', 'bank.json');
  const texts = ['a'.repeat(200), 'b'.repeat(300)];
  await Promise.all(texts.map((text, i) => replaceFile(file, slowly(text), `writer-${i}`)));
  expect(texts).toContain(readFileSync(file, 'utf8'));
  expect(readdirSync(join(folder, 'deep'))).toEqual(['bank.json']);
});

it('what fails half-way leaves the file that was there', async () => {
  const folder = aFolder();
  const file = join(folder, 'bank.json');
  writeFileSync(file, 'whole');
  async function* broken() {
    yield 'half';
    throw new Error('unreadable');
  }
  await expect(replaceFile(file, broken(), 'writer')).rejects.toThrow('unreadable');
  expect(readFileSync(file, 'utf8')).toBe('whole');
  expect(readdirSync(folder)).toEqual(['bank.json']);
});

it('a pipe is written to, and of a link the file that it leads to is replaced', async () => {
  const folder = aFolder();
  const [pipe, link, file] = [join(folder, 'pipe'), join(folder, 'link.json'), join(folder, 'bank.json')];
  spawnSync('mkfifo', [pipe]);
  const reader = open(pipe).then(async (handle) => {
    const text = await handle.readFile('utf8');
    await handle.close();
    return text;
  });
  await replaceFile(pipe, ['one', 'two'], 'writer');
  expect([await reader, lstatSync(pipe).isFIFO()]).toEqual(['onetwo', true]);
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  await replaceFile(link, ['new'], 'writer');
  expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['new', true]);
  expect(readdirSync(folder).sort()).toEqual(['bank.json', 'link.json', 'pipe']);
});
