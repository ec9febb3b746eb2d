import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/store/index.js';
import { folderOfTest } from '../folder.js';

/** In pieces that others come in between. */
async function* slowly(text: string): AsyncGenerator<string> {
  for (const piece of text) {
    await new Promise((resolve) => setImmediate(resolve));
    yield piece;
  }
}

it('of two writers at once one file stays, whole, and no draft of either', async () => {
  const folder = folderOfTest();
  const file = join(folder, 'deep', 'bank.json');
  const texts = ['a'.repeat(200), 'b'.repeat(300)];
  await Promise.all(texts.map((text, i) => replaceFile(file, slowly(text), `writer-${i}`)));
  expect(texts).toContain(readFileSync(file, 'utf8'));
  expect(readdirSync(join(folder, 'deep'))).toEqual(['bank.json']);
});

it('what fails half-way leaves the file that was there', async () => {
  const folder = folderOfTest();
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
  const folder = folderOfTest();
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

it.each([0o600, 0o640, 0o666])(
  'who may read and write a file (%o) may read and write the new one',
  async (mode) => {
    const folder = folderOfTest();
    const file = join(folder, 'report.html');
    writeFileSync(file, 'old');
    chmodSync(file, mode);
    await replaceFile(file, ['new'], 'writer');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', mode]);
  },
);

it('of a new file the mode is what the process gives to all files', async () => {
  const folder = folderOfTest();
  const [file, other] = [join(folder, 'report.html'), join(folder, 'other')];
  await replaceFile(file, ['new'], 'writer');
  writeFileSync(other, '');
  expect(statSync(file).mode).toBe(statSync(other).mode);
});

it('a link to what is not there leads to the new file', async () => {
  const folder = folderOfTest();
  const [link, file] = [join(folder, 'link.json'), join(folder, 'bank.json')];
  symlinkSync('bank.json', link);
  await replaceFile(link, ['new'], 'writer');
  expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['new', true]);
});

it('a file may have the longest name that there is', async () => {
  const folder = folderOfTest();
  const name = `${'r'.repeat(250)}.html`;
  await replaceFile(join(folder, name), ['new'], '99391c7e-ad88-49ec-a2ad-99ddcb1f7721');
  expect(readdirSync(folder)).toEqual([name]);
});

const IS_ROOT = process.geteuid?.() === 0;

/** As somebody who may do in a folder only what its mode says. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  if (!IS_ROOT) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

it.each([
  ['its folder takes no other', 0o555],
  // Of a file that is somebody else's.
  ...(IS_ROOT ? [['another one would be of another owner', 0o777] as const] : []),
] as const)('a file is written over where %s', async (_, mode) => {
  const folder = folderOfTest();
  const [file, same] = [join(folder, 'report.html'), join(folder, 'same')];
  writeFileSync(file, 'what was there, and longer');
  linkSync(file, same);
  chmodSync(file, 0o666);
  chmodSync(folder, mode);
  await asNobody(() => replaceFile(file, ['one', 'two'], 'writer'));
  chmodSync(folder, 0o700);
  expect(readFileSync(same, 'utf8')).toBe('onetwo');
  expect(readdirSync(folder).sort()).toEqual(['report.html', 'same']);
});

it('a file that may not be written stays, though its folder takes others', async () => {
  const folder = folderOfTest();
  const file = join(folder, 'report.html');
  writeFileSync(file, 'old');
  chmodSync(file, 0o444);
  chmodSync(folder, 0o777);
  await expect(asNobody(() => replaceFile(file, ['new'], 'writer'))).rejects.toThrow('EACCES');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['report.html']]);
});

it('where chunks fail as a file does, what was there stays', async () => {
  const folder = folderOfTest();
  const file = join(folder, 'bank.json');
  writeFileSync(file, 'whole');
  async function* broken() {
    yield 'half';
    throw Object.assign(new Error('unreadable'), { code: 'EACCES' });
  }
  await expect(replaceFile(file, broken(), 'writer')).rejects.toThrow('unreadable');
  expect(readFileSync(file, 'utf8')).toBe('whole');
});
