/**
 * What the browser holds between the steps of an SCA, in a field of the form: who has logged in, signed. There is no
 * cookie, and whoever knows only the address, as the TPP does, cannot pass over the log-in.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Ticket {
  /** A unique value. The code of the redirect follows from it, so a form sent twice has one end. */
  readonly nonce: string;
  /** null: nobody has logged in yet. */
  readonly psu: string | null;
  /** Epoch ms. */
  readonly until: number;
}

export interface Tickets {
  /** A ticket for one purpose, such as the id of an authorisation; it lasts ten minutes. */
  readonly issue: (purpose: string, psu: string | null, now: number) => string;
  /** undefined: forged, for something else, or too old. */
  readonly read: (purpose: string, text: string, now: number) => Ticket | undefined;
  /** 64 hexadecimal characters that only whoever holds the ticket gets to see. */
  readonly codeOf: (purpose: string, ticket: Ticket) => string;
}

export const TICKET_MS = 10 * 60_000;
const LONGEST = 2_000;

/** `key`: a secret of this run of the program; `nonces` never gives the same text twice. */
export function createTickets(key: string, nonces: () => string): Tickets {
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();

  return {
    issue: (purpose, psu, now) => {
      const payload = Buffer.from(JSON.stringify([nonces(), psu, now + TICKET_MS])).toString('base64url');
      return `${payload}.${mac(`ticket ${purpose} ${payload}`).toString('base64url')}`;
    },
    read: (purpose, text, now) => {
      const [payload = '', signature = ''] = text.length > LONGEST ? [] : text.split('.');
      const expected = mac(`ticket ${purpose} ${payload}`);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [nonce, psu, until] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return until < now || until > now + TICKET_MS ? undefined : { nonce, psu, until };
    },
    codeOf: (purpose, { nonce }) => mac(`code ${purpose} ${nonce}`).toString('hex'),
  };
}
