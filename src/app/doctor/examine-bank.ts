/** The bank's part of `sandgate doctor`: name, connection, TLS, the bank's certificate and ours. */
import { type BankProbe, loadUpstream, type ProbedTls, type ProbeFailure } from '../../answer/index.js';
import { counted, DAY_MS, dateAt } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import { filesOf, limitsOf } from '../gateway/upstream-source.js';

export interface Examination {
  /** What was looked at: `certificates`, `port --listen`, `store`, `clock`, `bank name`. */
  readonly name: string;
  /** `poor`: it works, but somebody should look at it. */
  readonly state: 'good' | 'poor' | 'bad';
  readonly found: string;
  /** What to do; empty where nothing is to be done. */
  readonly advice: string;
}

export type Finding = Pick<Examination, 'state' | 'found' | 'advice'>;

export const good = (found: string): Finding => ({ state: 'good', found, advice: '' });
export const poor = (found: string, advice: string): Finding => ({ state: 'poor', found, advice });
export const bad = (found: string, advice: string): Finding => ({ state: 'bad', found, advice });

const SOON_DAYS = 30;

/** Gives nothing where no bank is configured. Each client certificate is shown on a connection of its own. */
export async function examineBank(config: Config, now: number): Promise<Examination[]> {
  const { upstream: target } = config;
  if (target === undefined) return [];
  const { createCredentials, probeBank } = await loadUpstream();
  const log = { info: () => {}, warn: () => {} };
  const limits = limitsOf(config);
  try {
    const credentials = createCredentials({ ...filesOf(config), log, reloadMs: 0 });
    const probe = (tpp: string | null) => probeBank(target, credentials.of(tpp), limits);
    const first = await probe(null);
    const all = [...wayRows(first, target, now), ...ownRow('our certificate', first, now)];
    for (const [of, url] of Object.entries(config.upstreams ?? {}))
      for (const row of wayRows(await probeBank(url, credentials.of(null), limits), url, now))
        all.push({ ...row, name: `${row.name} for ${of}` });
    if (first.address === null || target.protocol !== 'https:') return all;
    for (const tpp of Object.keys(config.upstreamCertificates ?? {}))
      all.push(...ownRow(`our certificate for ${tpp}`, await probe(tpp), now));
    return all;
  } catch (error) {
    const advice = 'Correct --upstream-cert, --upstream-key or --upstream-ca.';
    return [{ name: 'our certificate', ...bad((error as Error).message, advice) }];
  }
}

function wayRows(probe: BankProbe, target: URL, now: number): Examination[] {
  const { addresses, address, tls, failure } = probe;
  const rows: Examination[] = [];
  const row = (name: string, finding: Finding) => void rows.push({ name, ...finding });
  if (failure?.step === 'name') {
    row('bank name', bad(failure.fault.message, ADVICE.name));
    return rows;
  }
  row('bank name', good(`${target.hostname} is ${addresses.join(', ')}.`));
  if (failure?.step === 'connection') {
    row('bank connection', bad(failure.fault.message, connectionAdvice(failure)));
    return rows;
  }
  row('bank connection', good(`${target.host} takes connections (at ${address}).`));
  if (target.protocol !== 'https:') {
    row('bank TLS', poor('None: calls and tokens go to the bank as plain text.', ADVICE.plain));
    return rows;
  }
  if (tls === null) {
    if (failure !== null) row('bank TLS', bad(handshakeFailure(failure, target), handshakeAdvice(failure)));
    return rows;
  }
  row('bank TLS', good(`${tls.version} with ${tls.cipher}; ${askedFor(tls)}.`));
  for (const finding of certificateFindings(tls, target, now)) row('bank certificate', finding);
  return rows;
}

const ADVICE = {
  name: 'Check the host in --upstream, and the DNS or VPN of this machine.',
  plain: 'Give an https address with --upstream, unless the bank is a program on this machine.',
  dropped:
    'This is what a firewall that drops packets looks like: ask the bank whether it admits the address of this machine.',
  closed: 'Check the port in --upstream, and that no firewall or proxy stands in between.',
  slow: 'Look at what a call gets; upstreamLimits.firstByte in sandgate.config.json allows more time.',
} as const;

function connectionAdvice({ fault }: ProbeFailure): string {
  return fault.kind === 'timeout' ? ADVICE.dropped : ADVICE.closed;
}

const askedFor = ({ serverName }: ProbedTls): string =>
  serverName === null ? 'no server name is sent for an address' : `the server name sent is ${serverName}`;

function handshakeFailure({ fault }: ProbeFailure, { host }: URL): string {
  if (fault.kind !== 'timeout') return fault.message;
  return `The bank (${host}) accepted the connection but did not finish the TLS handshake in time.`;
}

const HANDSHAKE_ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'Check scheme and port in --upstream: https needs a TLS port.'],
  [/PROTOCOL/, 'Ask the bank for TLS 1.2 or newer; Sandgate speaks nothing older.'],
  [/UNRECOGNIZED_NAME/, 'Write the host in --upstream as the bank publishes it.'],
  [
    /ALERT|ECONNRESET/,
    'Check that --upstream-cert is the certificate that the bank knows, with its chain after the leaf.',
  ],
];

function handshakeAdvice({ code, fault }: ProbeFailure): string {
  if (fault.kind === 'timeout')
    return 'Check that the port in --upstream is a TLS port, and what proxy is in front of it.';
  return HANDSHAKE_ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? ADVICE.closed;
}

function certificateFindings(tls: ProbedTls, { hostname }: URL, now: number): Finding[] {
  const { chainProblem, nameProblem, notAfter, subject, issuer, names } = tls;
  const what = `${subject}, signed by ${issuer}`;
  const wrong: Finding[] = [];
  if (chainProblem !== null)
    wrong.push(bad(`${chainProblem.fault.message} It is that of ${what}.`, chainAdvice(chainProblem)));
  if (nameProblem !== null)
    wrong.push(
      bad(
        `${nameProblem.fault.message} It is for ${names === '' ? 'no name' : names}.`,
        `Write the host in --upstream as in the certificate, not as ${hostname}.`,
      ),
    );
  if (wrong.length > 0) return wrong;
  const days = daysUntil(notAfter, now);
  if (days < SOON_DAYS)
    return [poor(`That of ${what}, ends in ${counted(days, 'day')}.`, 'Ask the bank to renew it.')];
  return [good(`That of ${what}: trusted, for this name, until ${dateAt(notAfter)}.`)];
}

function chainAdvice({ code }: ProbeFailure): string {
  if (code === 'CERT_HAS_EXPIRED')
    return 'Ask the bank to renew it; if it has, check the clock of this machine.';
  if (code === 'CERT_NOT_YET_VALID') return 'Check the clock of this machine.';
  return 'Get the certificate of the bank’s CA as PEM, and give it with --upstream-ca.';
}

/** How the bank takes the certificate that it is shown. No row where that was not reached. */
function ownRow(name: string, probe: BankProbe, now: number): Examination[] {
  const finding = ownFinding(probe, now);
  return finding === null ? [] : [{ name, ...finding }];
}

function ownFinding({ tls, asked, status, failure }: BankProbe, now: number): Finding | null {
  if (tls === null || (status === null && failure === null)) return null;
  const { own } = tls;
  if (failure !== null) return refused(failure, own, now);
  const answer = `HEAD was answered with ${status}`;
  if (asked === false)
    return own === null
      ? good(`None is configured, and the bank does not ask for one; ${answer}.`)
      : poor(
          `The bank does not ask for it; ${answer}.`,
          'Check host and port: banks often have separate ones for QWACs.',
        );
  if (own === null)
    return poor(
      `The bank asks for one, and none is configured; ${answer}.`,
      'Give yours with --upstream-cert.',
    );
  const days = daysUntil(own.notAfter, now);
  if (status !== null && REFUSALS.has(status))
    return poor(
      `The bank asked for it, was shown ${own.subject}, and answered HEAD with ${status}.`,
      'Some servers refuse a certificate with this status: look at what a call gets.',
    );
  if (days < SOON_DAYS)
    return poor(`Accepted: ${own.subject}; it ends in ${counted(days, 'day')}.`, 'Renew it.');
  return good(`Asked for and accepted: ${own.subject}, until ${dateAt(own.notAfter)}; ${answer}.`);
}

/** nginx: 400, within it 495 and 496. */
const REFUSALS = new Set([400, 495, 496]);

function refused({ fault }: ProbeFailure, own: ProbedTls['own'], now: number): Finding {
  if (fault.kind === 'timeout')
    return poor(`${fault.message} Whether it accepts our certificate is not known.`, ADVICE.slow);
  if (own === null)
    return bad(fault.message, 'Give your certificate with --upstream-cert and --upstream-key.');
  const ended = own.notAfter <= now;
  return bad(
    `${fault.message} It was shown ${own.subject}${ended ? `, which ended on ${dateAt(own.notAfter)}` : ''}.`,
    ended
      ? 'Give a current one with --upstream-cert and --upstream-key.'
      : 'Check that it is the one that the bank knows, with its chain after the leaf in --upstream-cert.',
  );
}

const daysUntil = (time: number, now: number): number => Math.floor((time - now) / DAY_MS);
