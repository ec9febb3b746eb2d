/** Traces to a collector of OpenTelemetry (OTLP over HTTP), out of what is recorded already: no call waits for them. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Timer } from '../answer/index.js';
import type { RecordedExchange } from '../store/index.js';
import { createDelivery } from './delivery.js';
import { post } from './post.js';
import { attribute, createWriter, FOUR_BYTES, field, writeFour } from './protobuf.js';
import { createSpans, type SpansParts } from './spans.js';

export interface OtlpParts extends SpansParts {
  /** Base address: traces go to `v1/traces` below it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** Names this process among those of the same service. */
  readonly instance: string;
  readonly timer: Timer;
  /** So many exchanges arrived, or did not; `why`: what kept them back. */
  readonly onEnd: (exchanges: number, why: string | null) => void;
  readonly limits?: Partial<typeof OTLP_LIMITS>;
}

export const OTLP_LIMITS = {
  /** Bytes of a batch, and of all that wait. */
  batch: 262_144,
  waiting: 8_388_608,
  /** A batch that is not full leaves after so many ms. */
  after: 1_000,
  timeout: 10_000,
  pauses: [1_000, 2_000, 4_000, 8_000, 16_000] as readonly number[],
  /** For what is left when the gateway stops, in ms. */
  stop: 2_000,
};

interface TraceBatch {
  readonly body: Buffer;
  readonly exchanges: number;
}

export function createOtlp({ url, headers, version, instance, timer, onEnd, limits, ...parts }: OtlpParts) {
  const { batch, waiting, after, timeout, pauses, stop } = { ...OTLP_LIMITS, ...limits };
  const target = new URL(`${url.href.replace(/\/$/, '')}/v1/traces`);
  const agent = new (target.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const { head, close: closeBody } = envelope(version, instance);
  const spans = createSpans(parts);
  const writer = createWriter(batch, head);
  let exchanges = 0;
  let cancel: (() => void) | null = null;
  const delivery = createDelivery<TraceBatch>({
    send: ({ body }, signal) =>
      post(
        target,
        { body, agent, isOwn: true, headers: { ...headers, 'Content-Type': 'application/x-protobuf' } },
        signal,
      ),
    ...{ timer, timeout, pauses },
    weightOf: ({ body }) => body.length,
    most: waiting,
    onEnd: (one, why) => {
      writer.giveBack(one.body);
      onEnd(one.exchanges, why);
    },
  });

  function flush(): void {
    cancel?.();
    cancel = null;
    if (exchanges === 0) return;
    const body = writer.take();
    closeBody(body);
    delivery.add({ body, exchanges });
    exchanges = 0;
  }

  return {
    take: (records: readonly RecordedExchange[]): void => {
      // Nothing is made that would not be sent.
      if (!delivery.hasRoom()) {
        onEnd(records.length, 'too much is waiting');
        return;
      }
      for (const record of records) {
        if (writer.room() < spans.most(record)) flush();
        spans.write(writer, record);
        exchanges += 1;
      }
      cancel ??= timer.after(after, flush);
    },
    close: async (): Promise<void> => {
      flush();
      await delivery.close(stop);
      agent.destroy();
    },
  };
}

/** An ExportTraceServiceRequest around spans, which stand at its end: `close` tells it how many bytes they are. */
function envelope(version: string, instance: string) {
  const resource = field(
    1,
    attribute(1, 'service.name', 'sandgate'),
    attribute(1, 'service.version', version),
    attribute(1, 'service.instance.id', instance),
  );
  const scope = field(1, field(1, 'sandgate'), field(2, version));
  const open = (number: number) => Buffer.from([(number << 3) | 2, ...FOUR_BYTES]);
  const [outer, inner] = [open(1), open(2)];
  const head = Buffer.concat([outer, resource, inner, scope]);
  const within = outer.length + resource.length;
  return {
    head,
    close: (body: Buffer): void => {
      writeFour(body, 1, body.length - outer.length);
      writeFour(body, within + 1, body.length - within - inner.length);
    },
  };
}
