/** What is counted of a session as a whole. */
import { expect, it } from 'vitest';
import { createFigures, seenOf } from '../../src/admin/live/session-view.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { recordSource } from '../store/stores.js';

it('what was let pass counts as found, with no severity of its own', () => {
  const next = recordSource();
  const { count, rules } = createFigures();
  const find = (severity: 'must' | 'note', waived?: object) => {
    const finding = { rule: 'requests/request-id-present', severity, judges: 'tpp', waived };
    const findings = [finding] as unknown as RecordedExchange['findings'];
    count(seenOf({ ...next(), findings } as RecordedExchange));
    const { count: found, worst } = rules.get('requests/request-id-present') ?? {};
    return [found, worst];
  };
  const waived = { reason: 'known', until: '2026-12-31' };
  expect(find('must', waived)).toEqual([1, null]);
  expect(find('note')).toEqual([2, 'note']);
  expect(find('must', waived)).toEqual([3, 'note']);
});
