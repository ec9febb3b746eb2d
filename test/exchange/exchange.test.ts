/** Facts are kept, what follows from them is read once. */
import { describe, expect, it, vi } from 'vitest';
import { openAnswer, redactExchange } from '../../src/exchange/index.js';
import { aCall, anExchange, type CallParts, fingerprint } from '../builders.js';

describe('a body', () => {
  it('is parsed when it is first asked for, and only then', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const text = '{"only":"here, for the test of laziness"}';
    const answer = openAnswer({
      source: 'upstream',
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: { text, size: text.length },
    });
    expect(parse).not.toHaveBeenCalled();
    expect(answer.content).toBe(answer.content);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('is not parsed a second time where redaction changes it', () => {
    const given = anExchange({
      call: { headers: { Authorization: 'Bearer a-token-of-1-run-only' } },
      answer: { body: { access_token: 'another-token-of-1-run', names: { of: 'nobody' } } },
    });
    expect([given.call.content.kind, given.answer?.content.kind]).toEqual(['none', 'json']);
    const parse = vi.spyOn(JSON, 'parse');
    const { answer } = redactExchange(given, fingerprint);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(answer?.body?.text).not.toContain('another-token');
    expect(answer?.content).toMatchObject({ kind: 'json', value: { names: { of: 'nobody' } } });
  });

  it('that redaction leaves as it is keeps what was read of it', () => {
    const given = anExchange({ call: { headers: { Cookie: 'a=1' }, body: { amount: '12.50' } } });
    const { content } = given.call;
    const { call } = redactExchange(given, fingerprint);
    expect(call).not.toBe(given.call);
    expect(call.content).toBe(content);
  });
});

describe('the digest of a request', () => {
  const digestOf = (parts: CallParts) => aCall(parts).request.digest;

  it('is the same for the same one, and another for another method, path, query or body', () => {
    const target = '/stdgroup/v1/consents';
    const others: CallParts[] = [
      { target },
      { target, method: 'DELETE' },
      { target: `${target}/C` },
      { target: `${target}?a=b` },
      { target, body: {} },
      { target: `${target}/${'c'.repeat(300)}` },
    ];
    expect(new Set(others.map(digestOf)).size).toBe(others.length);
    expect(others.map(digestOf)).toEqual(others.map(digestOf));
    expect(digestOf({ target, body: '' })).toBe(digestOf({ target }));
  });

  it('holds nothing of a query or a body, and is short', () => {
    expect(digestOf({ query: 'code=a-secret' })).not.toContain('a-secret');
    expect(digestOf({ body: 'a-secret' })).not.toContain('a-secret');
    expect(digestOf({ target: `/${'c'.repeat(300)}` })).toHaveLength(43);
  });
});

describe('a call', () => {
  it('goes to the bank, a notification to the TPP', () => {
    expect(aCall().direction).toBe('to-bank');
    expect(aCall({ listener: 'psu' }).direction).toBe('to-bank');
    expect(aCall({ listener: 'callback' }).direction).toBe('to-tpp');
  });

  it('has as JSON what was on the wire, and nothing that follows from it', () => {
    const call = aCall({ operation: 'consents.create', body: { a: 1 } });
    expect([call.header.host, call.content.kind, call.request.path]).toEqual([
      'localhost:8443',
      'json',
      '/stdgroup/v1/consents',
    ]);
    const { request, ...facts } = JSON.parse(JSON.stringify(call));
    expect(Object.keys(request)).toEqual(['method', 'target', 'headers', 'body']);
    expect(Object.keys(facts)).not.toContain('header');
  });
});
