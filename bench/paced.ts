/** Calls at an even pace, whatever the answers take, over kept connections. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { accountsToken } from './requests.js';

export interface Paced {
  /** Calls so many a second, for so many seconds; resolves with how many were answered a second. */
  readonly run: (
    perSecond: number,
    seconds: number,
    onAnswer?: (exchange: string) => void,
  ) => Promise<number>;
  readonly close: () => Promise<void>;
}

const TURN_MS = 10;
const CONNECTIONS = 32;

export async function openPaced(port: number, certs: string): Promise<Paced> {
  const file = (name: string) => readFileSync(join(certs, name));
  const connect = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  const pool = new Pool(`https://localhost:${port}`, { connect, connections: CONNECTIONS });
  const token = await accountsToken(port, certs);
  const headers = {
    ...{ Authorization: `Bearer ${token}`, 'Consent-ID': 'VALID_CONSENT_ID' },
    ...{ 'PSU-IP-Address': '192.0.2.1', 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' },
  };
  const call = async (): Promise<string> => {
    const answer = await pool.request({ method: 'GET', path: '/stdgroup/v1/accounts', headers });
    await answer.body.dump();
    return String(answer.headers['sandgate-exchange']);
  };
  return {
    run: async (perSecond, seconds, onAnswer) => {
      const start = performance.now();
      let sent = 0;
      let answered = 0;
      const answers: Promise<void>[] = [];
      for (let past = 0; past < seconds; past = (performance.now() - start) / 1_000) {
        for (; sent < past * perSecond; sent++)
          answers.push(
            call().then((exchange) => {
              answered++;
              onAnswer?.(exchange);
            }),
          );
        await pause(TURN_MS);
      }
      await Promise.all(answers);
      return answered / ((performance.now() - start) / 1_000);
    },
    close: () => pool.close(),
  };
}
