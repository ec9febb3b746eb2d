/** Every command of every document does what stands there: it is run, or the reason is named why it is not. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CONFIG_OPTIONS, loadConfig } from '../../src/app/index.js';
import { sandgate } from '../cli/run-command.js';
import { temporaryFolder } from '../e2e/child.js';
import { BLOCKS, type Block, commandLines, isCommands, mentions, ROOT } from './blocks.js';
import { runLines, startGateway } from './commands.js';
import { faultsOf } from './form.js';
import { found, LANGUAGES, NOT_RUN, STATUS } from './reasons.js';
import { type Scene, setScene } from './scene.js';

const run = promisify(execFile);
/** Some seconds in truth; a machine with other work to do takes longer. */
const PATIENCE_MS = 120_000;
const COMMANDS = BLOCKS.filter(isCommands);
/** Documents whose commands ask a gateway that the reader has started before. */
const WITH_GATEWAY = new Set([
  'docs/admin.md',
  'docs/clock.md',
  'docs/emulator.md',
  'docs/verifying.md',
  'docs/sessions.md',
]);
const whereOf = ({ document, line }: Pick<Block, 'document' | 'line'>) => `${document}:${line}`;

/** Each line that ended otherwise than it should, with what was said. */
async function failuresOf(block: Block, scene: Scene): Promise<string[]> {
  const lines = commandLines(block).filter(({ text }) => found(NOT_RUN, text) === undefined);
  return (await runLines(lines, scene)).flatMap(({ line, status, said }) => {
    const expected = found(STATUS, line.text) ?? 0;
    return status === expected
      ? []
      : [`${whereOf(line)} ${line.text}: status ${status}, not ${expected}\n${said}`];
  });
}

describe('the commands of the documents', () => {
  it.each([...new Set(COMMANDS.map(({ document }) => document))])(
    'in %s end as they should, one after the other',
    async (document) => {
      const scene = await setScene();
      const stop = WITH_GATEWAY.has(document) ? await startGateway(scene) : undefined;
      const failures: string[] = [];
      try {
        for (const block of COMMANDS.filter((one) => one.document === document))
          failures.push(...(await failuresOf(block, scene)));
      } finally {
        await stop?.();
      }
      expect(failures).toEqual([]);
      rmSync(scene.folder, { recursive: true, force: true });
    },
    PATIENCE_MS,
  );

  it('leave nothing running where they do not come to an end', async () => {
    const lines = ['sleep 600 &', 'wait'].map((text) => ({ document: 'none', line: 1, text }));
    const scene = { folder: temporaryFolder(), env: { PATH: process.env.PATH ?? '' } };
    // It is over when nobody holds its standard output any more.
    const outcomes = await runLines(lines, scene, 1);
    expect(outcomes.at(-1)?.status).toBeNaN();
  });

  it('have their form also where they are not run, or are named in passing', () => {
    const all = [...COMMANDS.flatMap(commandLines), ...mentions()];
    expect(all.length).toBeGreaterThan(100);
    const faults = all.flatMap((line) =>
      faultsOf(line.text).map((fault) => `${whereOf(line)} ${line.text}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('need every reason that is given', () => {
    const lines = COMMANDS.flatMap(commandLines);
    for (const beginning of [...Object.keys(NOT_RUN), ...Object.keys(STATUS)])
      expect(lines.filter(({ text }) => text.startsWith(beginning)).length, beginning).toBeGreaterThan(0);
  });
});

it('docs/formats.md quotes what is said of files that cannot be read', async () => {
  const folder = temporaryFolder();
  const saidOf = async (text: string) => {
    writeFileSync(join(folder, 'traffic.har'), text);
    const { err } = await sandgate(['check', join(folder, 'traffic.har')]);
    return err.trim().replace(`${folder}/`, '');
  };
  const entries = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/har/chromium.har'), 'utf8')).log.entries;
  const broken = entries.slice(0, 4).map((entry: { request: object }, i: number) => ({
    ...entry,
    request: { ...entry.request, ...(i === 3 ? { method: undefined } : {}) },
  }));
  const quoted = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8');
  expect(quoted).toContain(`\`${await saidOf(JSON.stringify({ log: { entries: broken } }))}\``);
  expect(quoted).toContain(`\`${await saidOf(`${'\n'.repeat(11)}{"lo":]`)}\``);
  rmSync(folder, { recursive: true });
});

describe('the other blocks', () => {
  it('are in a language that is known what to do with', () => {
    const unknown = BLOCKS.filter((block) => !isCommands(block) && !Object.hasOwn(LANGUAGES, block.language));
    expect(unknown.map((block) => `${whereOf(block)} ${block.language}`)).toEqual([]);
  });

  const keys = new Set(CONFIG_OPTIONS.flatMap(({ key }) => [key, key.split('.')[0] ?? key]));
  it.each(
    BLOCKS.filter(({ language }) => language === 'json').map((block) => [whereOf(block), block] as const),
  )('of JSON can be read, and are settings where they look so: %s', (where, { text }) => {
    const value = JSON.parse(text);
    if (!Object.keys(value).every((key) => keys.has(key))) return;
    const file = join(temporaryFolder(), 'sandgate.config.json');
    writeFileSync(file, text);
    expect(() => loadConfig({ env: {}, file }), where).not.toThrow();
  });

  it(
    'of a whole program run as they stand',
    async () => {
      const block = BLOCKS.find(
        ({ document, language }) => document === 'docs/project.md' && language === 'ts',
      );
      const { folder, env } = await setScene();
      mkdirSync(join(folder, 'tests'));
      const file = join(folder, 'tests', 'status.mjs');
      writeFileSync(file, block?.text ?? '');
      const { stdout } = await run('node', [file], {
        cwd: folder,
        env: { HOME: process.env.HOME ?? folder, ...env },
      });
      expect(stdout).toContain("consentStatus: 'valid'");
      rmSync(folder, { recursive: true, force: true });
    },
    PATIENCE_MS,
  );
});
