/** Clients that close their side right behind a call: who they are is known when the call arrives. */
import { expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from './harness.js';
import { openTls, untilClosed } from './raw.js';

const CALLS = 20;

it.each([
  ['a call without a body', 'GET /stdgroup/v1/consents/VALID_CONSENT_ID', '', /^(?:HTTP\/1\.1 200 |$)/],
  ['a body', 'POST /stdgroup/v1/consents', '{}', /^(?:HTTP\/1\.1 400 |$)/],
])('behind %s are judged by their certificate all the same', async (_, line, body, answered) => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.app.close());
  const answers = Array.from({ length: CALLS }, async (_, i) => {
    const socket = await openTls(gateway, { allowHalfOpen: true });
    const answer = untilClosed(socket);
    const head = [
      `${line} HTTP/1.1`,
      'Host: localhost',
      `X-Request-ID: 00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    return answer;
  });
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(answered);
  const calls = (await gateway.records()).map(({ exchange }) => exchange.call);
  expect(calls).toHaveLength(CALLS);
  for (const { certificate, connection } of calls)
    expect([typeof certificate, connection.tls]).toEqual([
      'object',
      expect.objectContaining({ version: 'TLSv1.3' }),
    ]);
});
