/** Answering from the living bank against answering from the sandbox bank: what the processor does for a call of each. */
import { join } from 'node:path';
import { ask, linkConsent, openTpp } from './living-tpp.js';
import { type Load, measureTogether, type Row, type Subject } from './measure.js';
import { startGateway } from './processes.js';
import { accountsToken, readRequest } from './requests.js';

const READS: readonly (readonly [name: string, pathOf: (account: string) => string])[] = [
  ['the list of accounts', () => ''],
  ['transactions', (account: string) => `/${account}/transactions?bookingStatus=booked&itemsPerPage=20`],
];

export interface LivingMeasured {
  readonly rows: readonly Row[];
  /** Of the processor's time, by read: living to sandbox. */
  readonly ratios: readonly (readonly [name: string, ratio: number])[];
}

/** A consent of each bank, read again and again. */
export async function measureLiving(
  load: Load,
  { program, folder }: { program: string; folder: string },
): Promise<LivingMeasured> {
  const subjects = READS.flatMap(([name, pathOf]) =>
    (['sandbox', 'living'] as const).map((bank): Subject => {
      const store = join(folder, `bank-${bank}-${name.replaceAll(' ', '-')}.db`);
      return {
        name: `${bank}, ${name}`,
        store,
        start: () => startGateway({ program, certs: load.certs, store }, ['--bank', bank]),
        call: async ({ port }) => {
          if (bank === 'sandbox') {
            const token = await accountsToken(port, load.certs);
            return readRequest(pathOf('ACCOUNT_ID'), token, 'VALID_CONSENT_ID');
          }
          const { token, consent, account } = await linkedConsent(port, load.certs);
          return readRequest(pathOf(account), token, consent);
        },
      };
    }),
  );
  const rows = await measureTogether(subjects, load);
  const cpuOf = (name: string) => rows.find((row) => row.name === name)?.cpu ?? Number.NaN;
  const ratios = READS.map(([name]) => [name, cpuOf(`living, ${name}`) / cpuOf(`sandbox, ${name}`)] as const);
  return { rows, ratios };
}

/** A consent that the first PSU has given, its token, and the first account that it covers. */
async function linkedConsent(port: number, certs: string) {
  const tpp = openTpp(port, certs);
  const { consent, token } = await linkConsent(tpp);
  const headers = { Authorization: `Bearer ${token}`, 'Consent-Id': consent };
  const { accounts } = (await ask(tpp, `${tpp.v1}/accounts`, headers)).json;
  await tpp.close();
  return { token, consent, account: accounts[0].resourceId };
}
