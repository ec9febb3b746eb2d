/** Learns bindings from each matched call: which values this run sends in place of the recorded ones. */

import { textMember } from '../../exchange/index.js';
import type { Flow } from './authorization-calls.js';
import type { Bindings } from './bindings.js';
import type { Field } from './call-fields.js';
import { isDated, moveDate } from './dates.js';
import type { Entry } from './entries.js';
import type { Sought } from './find.js';
import type { MatchPlace } from './match-table.js';
import type { Recording } from './open-recording.js';
import { dateKey } from './pieces.js';

export interface Learner {
  readonly learn: (entry: Entry, sought: Sought, days: number) => void;
  /** The client holds now what an answer held. */
  readonly give: (entry: Entry, values: readonly string[]) => void;
  readonly giveOutcome: (flow: Flow) => void;
}

export function createLearner({ carried, scopes }: Recording, bindings: Bindings): Learner {
  const learnField = (recorded: Field, sent: Field, read: Field, days: number): void => {
    if (recorded.as === 'bind') {
      // A clear value that its pseudonym tells is this run's own all the same.
      const isOther = recorded.value !== read.value || recorded.kind !== undefined;
      if (isOther && bindings.recordedOf(sent.value) !== recorded.value)
        bindings.bind(recorded.value, sent.value);
    } else if (recorded.as === 'free') {
      if (carried.has(recorded.value)) bindings.carry(recorded.value, sent.value);
    } else if (recorded.as === 'date' && isDated(recorded.value)) {
      const key = dateKey(nameOf(recorded.place), recorded.value);
      bindings.carry(key, sent.value === moveDate(recorded.value, days) ? key : sent.value);
    }
  };

  return {
    learn: (entry, { sent, fields }, days) => {
      const recorded = entry.fields;
      // Both in one order; free values may be there or not.
      let next = 0;
      for (let i = 0; i < sent.length; i++) {
        const field = sent[i] as Field;
        let at = next;
        while (at < recorded.length && recorded[at]?.place !== field.place) at++;
        const theirs = recorded[at];
        if (theirs === undefined) continue;
        next = at + 1;
        learnField(theirs, field, fields[i] as Field, days);
      }
    },
    give: (entry, values) => {
      if (entry.uses > 1) return;
      for (const value of values) bindings.give(value);
      if (entry.exchange.call.operation !== 'oauth.token') return;
      const token = textMember(entry.answer.content, 'access_token') ?? '';
      bindings.give(token);
      bindings.give(scopes.of(token) ?? token);
    },
    giveOutcome: ({ outcome }) => {
      if (outcome.kind === 'code') bindings.give(outcome.code);
      if (outcome.kind !== 'redirect') return;
      for (const [, value] of outcome.parameters) bindings.give(value);
    },
  };
}

/** Of a place, the name of the member: `body access.validUntil` is `validUntil`. */
function nameOf(place: MatchPlace): string {
  return place.slice(Math.max(place.lastIndexOf(' '), place.lastIndexOf('.')) + 1);
}
