/** Notes this run's values in place of the recorded ones, from calls and answers. */
import { textMember } from '../../exchange/index.js';
import type { Flow } from './authorization-calls.js';
import type { Bindings } from './bindings.js';
import type { Field } from './call-fields.js';
import { isDated, moveDate } from './dates.js';
import type { Entry } from './entries.js';
import type { Sought } from './find.js';
import type { Recording } from './open-recording.js';
import { dateKey } from './pieces.js';

export function createValueNotes({ carried, scopes }: Recording, bindings: Bindings) {
  const noteField = (recorded: Field, sent: Field, read: Field, days: number): void => {
    if (recorded.as === 'bind') {
      // A clear value that its pseudonym tells is this run's own all the same.
      const isOther = recorded.value !== read.value || recorded.kind !== undefined;
      if (isOther && bindings.recordedOf(sent.value) !== recorded.value)
        bindings.bind(recorded.value, sent.value);
    } else if (recorded.as === 'free') {
      if (carried.has(recorded.value)) bindings.carry(recorded.value, sent.value);
    } else if (recorded.as === 'date' && isDated(recorded.value)) {
      // `body access.validUntil` is the member `validUntil`.
      const key = dateKey(recorded.place.replace(/^.*[ .]/, ''), recorded.value);
      bindings.carry(key, sent.value === moveDate(recorded.value, days) ? key : sent.value);
    }
  };

  return {
    noteCall: ({ fields: recorded }: Entry, { sent, fields }: Sought, days: number): void => {
      // Both in one order; free values may be there or not.
      let next = 0;
      for (const [i, field] of sent.entries()) {
        let at = next;
        while (at < recorded.length && recorded[at]?.place !== field.place) at++;
        const theirs = recorded[at];
        if (theirs === undefined) continue;
        next = at + 1;
        noteField(theirs, field, fields[i] as Field, days);
      }
    },
    /** The client holds now what an answer held. */
    noteAnswer: (entry: Entry, values: readonly string[]): void => {
      if (entry.uses > 1) return;
      for (const value of values) bindings.give(value);
      if (entry.exchange.call.operation !== 'oauth.token') return;
      const token = textMember(entry.answer.content, 'access_token') ?? '';
      bindings.give(token);
      bindings.give(scopes.of(token) ?? token);
    },
    noteOutcome: ({ outcome }: Flow): void => {
      if (outcome.kind === 'code') bindings.give(outcome.code);
      else if (outcome.kind === 'redirect') for (const [, value] of outcome.parameters) bindings.give(value);
    },
  };
}
