/** Reads a PSU's accounts from a running gateway: `npx tsx examples/tpp/main.ts [API] [CERTS]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { createConsent, deleteConsent, listAccounts, readBalances } from './account-information.js';
import { beginAuthorisation } from './authorisation.js';
import { authoriseAs } from './psu-browser.js';

const [origin = 'https://localhost:8443', certs = 'certs'] = process.argv.slice(2);
const REDIRECT_URI = 'https://tpp.example/back';
const PSU_IP = '192.0.2.1';

const file = (name: string) => readFileSync(join(certs, name), 'utf8');
const ca = file('ca.pem');
const bank = {
  api: `${origin}/stdgroup/v1`,
  clientId: 'VALID_CLIENT_ID',
  dispatcher: new Agent({ connect: { ca, cert: file('tpp.pem'), key: file('tpp.key') } }),
};
const browser = new Agent({ connect: { ca } });
const say = (text: string) => process.stdout.write(`${text}\n`);

const consent = await createConsent(bank, {
  redirectUri: REDIRECT_URI,
  validUntil: '9999-12-31',
  psuIp: PSU_IP,
});
const scope = `AIS:${consent.id}`;
const pending = await beginAuthorisation(bank, { scope, link: consent.link, redirectUri: REDIRECT_URI });
say(`The PSU authorises at ${pending.url.origin}${pending.url.pathname}`);
const access = await pending.finish(await authoriseAs('SCA_OK', pending.url, browser));
const reader = { consent, access, psuIp: PSU_IP };
const [account] = await listAccounts(bank, reader);
if (account !== undefined) {
  say(`${account.iban ?? account.resourceId}  ${account.name ?? ''}`);
  for (const { balanceType, balanceAmount } of await readBalances(bank, reader, account.resourceId))
    say(`  ${balanceType}: ${balanceAmount.amount} ${balanceAmount.currency}`);
}
await deleteConsent(bank, consent);
await Promise.all([bank.dispatcher.close(), browser.close()]);
