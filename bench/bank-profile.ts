/** The built-in interface against the same interface as a bank profile in a file: what a profile costs on the way of a call. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolvedProfile } from '../src/spec/index.js';
import { type Load, measureTogether, type Row, type Subject } from './measure.js';
import { startGateway } from './processes.js';
import { accountsRequest } from './requests.js';

export interface ProfileMeasured {
  readonly rows: readonly Row[];
  /** Of the processor's time for a call: with the profile to without. */
  readonly ratio: number;
}

export async function measureBankProfile(
  load: Load,
  { program, folder }: { readonly program: string; readonly folder: string },
): Promise<ProfileMeasured> {
  const file = join(folder, 'same-bank.json');
  writeFileSync(file, JSON.stringify({ ...resolvedProfile(), name: 'same-bank' }));
  const { certs } = load;
  const gateway = (name: string, flags: readonly string[]): Subject => ({
    name,
    start: () => startGateway({ program, certs, store: join(folder, `bank-${name}.db`) }, flags),
    call: ({ port }) => accountsRequest(port, certs),
  });
  const rows = await measureTogether(
    [gateway('built-in', []), gateway('profile in a file', ['--bank-profile', file])],
    load,
  );
  const [builtIn, profile] = rows.map(({ cpu }) => cpu);
  return { rows, ratio: (profile ?? Number.NaN) / (builtIn ?? Number.NaN) };
}
