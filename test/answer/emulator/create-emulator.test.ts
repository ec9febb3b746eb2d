import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Request } from '../../../src/exchange/index.js';
import type { Refusal } from '../../../src/rules/index.js';
import {
  ANSWER_BODIES,
  type BuiltInOperationId,
  OPERATION_IDS,
  operationRow,
} from '../../../src/spec/index.js';
import { aCall, type CallParts, REQUEST_ID } from '../../builders.js';
import { codePoint } from '../../code-points.js';
import { aContext, anEmulator, errorOf, jsonOf, SUCCEEDING } from '../an-emulator.js';

const emulator = anEmulator();
const parts = (operation: BuiltInOperationId): CallParts => ({ operation, ...SUCCEEDING[operation] });

describe.each(OPERATION_IDS)('%s', (operation) => {
  const row = operationRow(operation);
  const answer = emulator.ask(parts(operation));

  it('succeeds with a status of its row and a body of its schema', () => {
    expect(row.success).toContain(answer.status);
    expect(answer.source).toBe('emulator');
    const schema = ANSWER_BODIES[operation];
    if (schema !== null && answer.status !== 204)
      expect(schema.safeParse(jsonOf(answer)).error).toBeUndefined();
  });

  it('says the same in text and in value, with the right size', () => {
    if (answer.content.kind === 'json')
      expect(JSON.parse(answer.body?.text ?? '')).toEqual(answer.content.value);
    expect(answer.body?.size).toBe(answer.body === null ? undefined : Buffer.byteLength(answer.body.text));
  });

  it('may not be kept by a cache, and gives X-Request-ID back where it asks for it', () => {
    const sent = emulator.ask({
      ...parts(operation),
      headers: { ...parts(operation).headers, 'X-Request-ID': REQUEST_ID },
    });
    expect(sent.header['cache-control']).toBe('no-store');
    expect(sent.header['x-request-id']).toBe(row.requestId ? REQUEST_ID : undefined);
  });

  it('answers HEAD without body', () => {
    if (row.method !== 'GET') return expect(row.method).toMatch(/^(?:POST|DELETE)$/);
    const head = emulator.ask({ ...parts(operation), method: 'HEAD' });
    expect(head.body).toBeNull();
    expect(head.status).toBe(answer.status);
    expect(head.header['content-length']).toBe(String(answer.body?.size));
    expect(head.header['content-type']).toBe(answer.header['content-type']);
  });

  it('answers whatever it is sent', () => {
    const odd = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', '', 'VALID_CONSENT_ID', '%', '\0', '💥'),
      fc.string({ unit: codePoint }),
    );
    const call = fc.record({
      params: fc.dictionary(
        fc.constantFrom(
          'consentId',
          'accountId',
          'paymentService',
          'paymentProduct',
          'paymentId',
          'authorisationId',
        ),
        odd,
      ),
      content: fc.oneof(
        fc.record({ kind: fc.constant('json' as const), value: fc.jsonValue() }),
        fc.record({ kind: fc.constant('form' as const), fields: fc.array(fc.tuple(odd, odd)) }),
        fc.constantFrom(
          { kind: 'none' as const },
          { kind: 'opaque' as const },
          { kind: 'not-observed' as const },
          { kind: 'unparseable' as const, problem: 'x' },
        ),
      ),
      consentId: odd,
      query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...row.query, 'x'), odd), odd)),
      method: fc.constantFrom(row.method, 'HEAD'),
    });
    const base = aCall(parts(operation));
    fc.assert(
      fc.property(call, ({ params, content, consentId, query, method }) => {
        const { path, headers: usual, body } = base.request;
        const target = `${path}?${new URLSearchParams(query)}`;
        const sent = [...usual.filter(([name]) => name !== 'Consent-Id'), ['Consent-Id', consentId] as const];
        const request = new Request(method, target, sent, body, content);
        const given = base.with({ params: { ...base.params, ...params }, request });
        const { status, headers } = emulator.answer(given, aContext()).answer;
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(504);
        for (const [, value] of headers) expect(value).toMatch(/^[\t -~\u0080-\u00ff]*$/);
      }),
    );
  });
});

describe('a refusal of the rules', () => {
  const refusal: Refusal = {
    kind: 'messages',
    status: 429,
    messages: [{ code: 'ACCESS_EXCEEDED', text: 'used' }],
    headers: [['Retry-After', '60']],
  };

  it('is what the bank answers, as its own', () => {
    const answer = emulator.ask(parts('accounts.list'), { refusal });
    expect(answer.source).toBe('emulator');
    expect(errorOf(answer)).toBe('429 ACCESS_EXCEEDED');
    expect(answer.header['retry-after']).toBe('60');
  });

  it('keeps a notification from being sent', () => {
    const fresh = anEmulator();
    fresh.ask(parts('notifications.simulate'), { refusal });
    expect(fresh.callbacks).toEqual([]);
  });
});

it('does not know another path, nor another method', () => {
  expect(errorOf(emulator.ask({ target: '/nowhere' }))).toBe('404 RESOURCE_UNKNOWN');
  const answer = emulator.ask({ operation: 'accounts.list', method: 'DELETE' });
  expect(errorOf(answer)).toBe('405 SERVICE_INVALID');
  expect(answer.header.allow).toBe('GET, HEAD');
});
