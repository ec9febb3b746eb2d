/** A first journey at the living bank, as somebody sees it who has never seen one: each mistake, and then its mend. */
import { type Answer, type HeaderList, linkOf, memberOf, textMember } from '../../exchange/index.js';
import { SANDBOX } from '../../spec/index.js';
import { type Config, dialectIn } from '../config/index.js';
import { CONSENT, VERIFIER } from '../gateway/first-calls.js';
import type { Sandgate } from '../gateway/index.js';
import {
  createOwnTpp,
  identityNamed,
  OWN_TPP,
  type OwnTpp,
  openOwnSender,
  WITH_PSU,
} from '../gateway/own-tpp.js';

export interface Scene {
  /** A sentence. */
  readonly says: string;
  readonly is: 'step' | 'mistake' | 'mend';
}

const PAID = { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers' };
/** Reads without a PSU that a consent allows a day. */
const A_DAY = CONSENT.frequencyPerDay;

/** The TPP of the test certificate, whose calls are not marked as the gateway's: they show what those of a TPP look like. */
export async function openDemoTpp({ certificates, urls }: Sandgate, config: Config, signal: AbortSignal) {
  const identity = await identityNamed(certificates, OWN_TPP);
  const sender = openOwnSender(certificates, { signal });
  const tpp = createOwnTpp({ sender, urls, dialect: dialectIn(config), identity });
  return { tpp, close: sender.close };
}

/** Each scene is given before its calls are made; `tpp.made` then has them. Throws where the journey does not go on. */
export async function* playDemo(tpp: OwnTpp): AsyncGenerator<Scene, void> {
  yield { is: 'mistake', says: 'A TPP asks for a consent to read accounts, with a date as people write it.' };
  await tpp.create('consents.create', {}, { ...CONSENT, validUntil: '31.12.9999' });
  yield { is: 'mend', says: 'Again, with the date as ISO 8601 has it.' };
  const consent = await tpp.create('consents.create', {}, CONSENT);
  const id = needed(consent, textMember(consent.content, 'consentId'));

  yield { is: 'step', says: 'The PSU agrees at the bank, which sends the TPP a code.' };
  const agreed = await tpp.agree(
    { service: 'AIS', id },
    needed(consent, linkOf(consent.content, 'scaOAuth')),
  );
  if (!('code' in agreed)) throw notOn(agreed);
  yield { is: 'mistake', says: 'The TPP exchanges the code, with a code_verifier of another flow.' };
  await tpp.exchange({ ...agreed, verifier: VERIFIER });
  yield { is: 'mend', says: 'Again, with the code_verifier whose hash was the challenge.' };
  const token = await tpp.exchange(agreed);
  const bearer = needed(token, textMember(token.content, 'access_token'));

  const read = (consentId: string, psu?: HeaderList) => tpp.accounts(bearer, consentId, psu);
  yield { is: 'mistake', says: 'It reads the accounts, with the id of another consent.' };
  await read(SANDBOX.validConsent);
  yield { is: 'mend', says: 'Again, with the consent that the token belongs to.' };
  const accounts = await read(id);
  const iban = needed(accounts, firstIban(accounts));
  yield { is: 'step', says: `At night it reads them ${A_DAY} times, and nobody is there.` };
  for (let i = 0; i < A_DAY; i++) await read(id, []);
  yield { is: 'mistake', says: 'It reads them once more.' };
  await read(id, []);
  yield { is: 'mend', says: 'The PSU opens the application: the TPP sends her PSU-IP-Address.' };
  await read(id);

  yield { is: 'mistake', says: 'The PSU pays a bicycle, and the TPP writes the amount with a comma.' };
  await tpp.create('payments.create', PAID, paymentFrom(iban, '749,00'));
  yield { is: 'mend', says: 'Again, with a point.' };
  const payment = await tpp.create('payments.create', PAID, paymentFrom(iban, '749.00'));
  const paid = needed(payment, textMember(payment.content, 'paymentId'));
  yield { is: 'step', says: 'The PSU confirms it, and the TPP asks for its status.' };
  await tpp.agree({ service: 'PIS', id: paid }, needed(payment, linkOf(payment.content, 'scaOAuth')));
  const status = tpp.at('payments.status', { ...PAID, paymentId: paid });
  await tpp.send({ url: status, headers: [['Consent-Id', paid], ...WITH_PSU] });
}

const paymentFrom = (iban: string, amount: string) => ({
  instructedAmount: { currency: 'EUR', amount },
  debtorAccount: { iban },
  creditorAccount: { iban: SANDBOX_CREDITOR },
  creditorName: 'Fietsenatelier Roeland',
});
const SANDBOX_CREDITOR = 'BE86986509812450';

function firstIban({ content }: Answer): string | undefined {
  const accounts = content.kind === 'json' ? memberOf(content.value, 'accounts') : undefined;
  const [first] = Array.isArray(accounts) ? accounts : [];
  const iban = memberOf(first, 'iban');
  return typeof iban === 'string' ? iban : undefined;
}

function needed(answer: Answer, value: string | undefined): string {
  if (value === undefined) throw notOn(answer);
  return value;
}

const notOn = ({ status }: Answer): Error => new Error(`The demo cannot go on: the bank answered ${status}.`);
