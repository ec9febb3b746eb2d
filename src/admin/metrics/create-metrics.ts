/** The metrics of one gateway, in the format of Prometheus. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Call, Exchange } from '../../exchange/index.js';
import type { Finding } from '../../rules/index.js';
import { faultSide } from '../exchanges/remedies.js';
import { loadOnce } from '../load-once.js';
import { createDurations, createTally } from './counts.js';
import type { CertificateEnd, Readings } from './render.js';

export type Metrics = ReturnType<typeof createMetrics>;

const NONE = 'none';
const CALLBACK = 'callback';
const TICK_MS = 10;

/**
 * Whoever reads them first has the package loaded that renders them: a start does not wait for it. `ofOthers` resolves
 * with `own` of the other processes behind the same listeners.
 */
export function createMetrics(
  asked: Readings,
  ofOthers?: (() => Promise<readonly (readonly object[])[]>) | undefined,
) {
  const counted = {
    exchanges: createTally(),
    findings: createTally(),
    faults: createTally(),
    anew: createTally(),
    ocsp: createTally(),
    total: createDurations(),
    bank: createDurations(),
  };
  const { exchanges, findings, faults, anew, total, bank } = counted;
  const lag = monitorEventLoopDelay({ resolution: TICK_MS });
  lag.enable();
  let certificates = (): readonly CertificateEnd[] => [];
  const rendering = loadOnce(async () => {
    const { createRendering } = await import('./render.js');
    return createRendering({ ...counted, ...asked, certificates: () => certificates(), lag, tick: TICK_MS });
  });
  return {
    /** On the way of a call: counts, and nothing else. */
    observe: (exchange: Exchange, found: readonly Finding[]): void => {
      const { call, answer, fault, elapsed } = exchange;
      const isNotification = call.direction === 'to-tpp';
      const operation = isNotification ? CALLBACK : (call.operation ?? NONE);
      // A callback goes the other way round: it is the TPP that answers.
      const source = answer === null ? NONE : isNotification ? 'tpp' : answer.source;
      exchanges.add(operation, answer === null ? NONE : String(answer.status), source);
      total.add(operation, elapsed.total);
      bank.add(operation, elapsed.answerer);
      for (const { rule, severity, judges } of found) findings.add(rule, severity, judges);
      if (fault !== null) faults.add(fault.kind, faultSide(exchange, fault));
    },
    /** Known once the gateway has read them. */
    ofCertificates: (read: () => readonly CertificateEnd[]): void => {
      certificates = read;
    },
    /** After each question to an OCSP responder. */
    ocspAnswered: (verdict: string) => counted.ocsp.add(verdict),
    /** Another gateway on the store was faster. */
    judgedAnew: ({ operation }: Call) => anew.add(operation ?? NONE),
    /** The counts of this process; a group adds those of its members. */
    own: async (): Promise<readonly object[]> => (await rendering.get()).own(),
    /** Metrics of all processes behind the same listeners, in the text format of Prometheus. */
    render: async (): Promise<string> => {
      const { own, text, together } = await rendering.get();
      if (ofOthers === undefined) return text();
      const [one, others] = await Promise.all([own(), ofOthers()]);
      return together([one, ...others]);
    },
    close: (): void => {
      lag.disable();
    },
  };
}

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export function addMetricsRoute(server: FastifyInstance, { render }: Metrics): void {
  server.get('/metrics', async (_request, reply) => {
    reply.type(TEXT_FORMAT);
    return render();
  });
}
