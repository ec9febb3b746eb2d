/** PSUs who come back from the bank in another way than the interface says, or not at all. */
import * as z from 'zod';
import type { Answered } from '../../answer/index.js';
import { answerPage, answerReturnTwice, html } from '../../answer/index.js';
import type { BankChange } from '../../bank/index.js';
import { type Answer, type Call, parametersOf } from '../../exchange/index.js';
import { LIMITS } from '../../spec/index.js';
import { withHeader } from '../answers.js';
import { callKind, type Effect, type Kind } from '../kind.js';

const isOfBrowser = ({ listener }: Call): boolean => listener === 'psu';

/** The address that the answer sends a PSU back to; null where it leads on within the bank. */
function returnOf({ status, header }: Answer): string | null {
  const { location } = header;
  if (location === undefined || (status !== 302 && status !== 303)) return null;
  const parameters = parametersOf(location);
  return parameters.has('code') || parameters.has('error') ? location : null;
}

/** A kind that changes the parameters of the address. */
const ofParameters = (says: string, change: (parameters: URLSearchParams) => void): Kind =>
  callKind<object>({
    family: 'return',
    says,
    takes: z.strictObject({}),
    meets: isOfBrowser,
    after: (_, { answer }: Answered): Effect | undefined => {
      const location = returnOf(answer);
      if (location === null) return undefined;
      const address = new URL(location);
      const before = address.search;
      change(address.searchParams);
      if (address.search === before) return undefined;
      return { answer: answer.with(withHeader(answer.headers, 'Location', address.href), answer.body) };
    },
  });

export const RETURN: Readonly<Record<string, Kind>> = {
  'no-state': ofParameters('The PSU comes back without `state`.', (query) => query.delete('state')),
  'other-state': ofParameters('The PSU comes back with another `state`.', (query) => {
    if (query.has('state')) query.set('state', `${query.get('state')?.slice(0, -1)}~`);
  }),
  'no-error': ofParameters('A failed SCA comes back without `error`.', (query) => {
    query.delete('error');
    query.delete('error_description');
  }),
  never: callKind({
    family: 'return',
    says: 'The PSU closes the window at the end and never comes back.',
    takes: z.strictObject({}),
    meets: isOfBrowser,
    after: ({ call }, { answer }) =>
      returnOf(answer) === null ? undefined : { answer: answerPage(call, answer.source, 200, CLOSED) },
  }),
  twice: callKind({
    family: 'return',
    says: 'The browser opens the return address twice, as after a reload.',
    takes: z.strictObject({}),
    meets: isOfBrowser,
    after: ({ call }, { answer }) => {
      const location = returnOf(answer);
      return location === null ? undefined : { answer: answerReturnTwice(call, answer.source, location) };
    },
  }),
  late: callKind({
    family: 'return',
    says: 'The PSU comes back after the code has ended.',
    takes: z.strictObject({}),
    needs: 'living',
    meets: isOfBrowser,
    after: ({ world, fingerprint }, { answer, changes = [] }) => {
      const location = returnOf(answer);
      const code = location === null ? null : parametersOf(location).get('code');
      if (code == null) return undefined;
      // Given out now, or with the page before.
      const key = fingerprint(code);
      const isOfCode = (change: BankChange) => change.family === 'bankCodes' && change.key === key;
      const made = changes.find(isOfCode);
      const fact = made?.family === 'bankCodes' ? made.fact : world.bank.bankCodes.get(key);
      if (fact == null) return undefined;
      const ended = { ...fact, issuedAt: fact.issuedAt - LIMITS.authorisationCodeMs - 1 };
      const others = changes.filter((change) => !isOfCode(change));
      return { changes: [...others, { family: 'bankCodes', key, fact: ended }] };
    },
  }),
};

const CLOSED = {
  title: 'You may close this window',
  main: html`<p>The bank has taken note of your decision. This window leads nowhere.</p>`,
};
