/** How long the program takes to start, against Node alone. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from './measure.js';
import { type Server, startGateway } from './processes.js';

export interface StartParts {
  /** With certificates that are there already. */
  readonly certs: string;
  readonly folder: string;
  readonly times: number;
}

/** `program`: the built one. The median counts; the three take turns. */
export async function printStarts(program: string, { certs, folder, times }: StartParts): Promise<void> {
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    return undefined;
  };
  const store = join(folder, 'starting.db');
  const kinds: { name: string; run: () => Promise<Server> | undefined }[] = [
    { name: 'node -e 0', run: () => run('-e', '0') },
    { name: 'sandgate --version (to reach 150)', run: () => run(program, '--version') },
    { name: 'sandgate serve, ready (to reach 400)', run: () => startGateway({ program, certs, store }, []) },
  ];
  const took = kinds.map((): number[] => []);
  for (let turn = 0; turn < times; turn++)
    for (const [i, kind] of kinds.entries()) {
      const begun = performance.now();
      const server = await kind.run();
      took[i]?.push(performance.now() - begun);
      await server?.stop();
    }
  console.log('\nStarting, ms:');
  for (const [i, { name }] of kinds.entries()) {
    console.log(`  ${name.padEnd(38)} ${median(took[i] ?? []).toFixed(0)}`);
  }
}
