/** A collector of OpenTelemetry for tests: takes what is sent to it, and decodes it by a schema of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import { onTestFinished } from 'vitest';

/** The messages of opentelemetry-proto 1.x that traces are made of; the field numbers are those of the standard. */
const SCHEMA = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  uint32 dropped_attributes_count = 10; repeated Event events = 11; uint32 dropped_events_count = 12;
  repeated Link links = 13; uint32 dropped_links_count = 14; Status status = 15; fixed32 flags = 16;
}
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
message Link { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4; uint32 dropped_attributes_count = 5; fixed32 flags = 6; }
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`;

const { root } = protobuf.parse(SCHEMA);
const REQUEST = root.lookupType('Request');

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SeenSpan {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: number;
  /** ns since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly at: bigint; readonly attributes: Attributes }[];
  readonly droppedEvents: number;
  readonly links: readonly { readonly trace: string; readonly span: string }[];
  readonly status: number;
}

interface Decoded {
  // biome-ignore lint/suspicious/noExplicitAny: the decoder knows the schema, TypeScript does not.
  readonly [name: string]: any;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const attributesOf = (all: readonly Decoded[]): Attributes =>
  Object.fromEntries(
    all.map(({ key, value: { intValue, ...other } }) => [
      key,
      intValue === undefined ? Object.values(other as Decoded)[0] : Number(intValue),
    ]),
  );

export function decode(bytes: Uint8Array) {
  const message: Decoded = REQUEST.toObject(REQUEST.decode(bytes), { arrays: true, longs: String });
  const [one] = message.resourceSpans;
  const spans = message.resourceSpans.flatMap(({ scopeSpans }: Decoded) =>
    scopeSpans.flatMap(({ spans }: Decoded) => spans),
  );
  return {
    resource: attributesOf(one.resource.attributes),
    spans: spans.map(
      (span: Decoded): SeenSpan => ({
        ...{ trace: hex(span.traceId), id: hex(span.spanId), parent: hex(span.parentSpanId ?? []) },
        ...{ name: span.name, kind: span.kind, attributes: attributesOf(span.attributes) },
        ...{ start: BigInt(span.startTimeUnixNano), end: BigInt(span.endTimeUnixNano) },
        events: span.events.map(({ name, timeUnixNano, attributes }: Decoded) => ({
          ...{ name, at: BigInt(timeUnixNano), attributes: attributesOf(attributes) },
        })),
        droppedEvents: span.droppedEventsCount ?? 0,
        links: span.links.map((link: Decoded) => ({ trace: hex(link.traceId), span: hex(link.spanId) })),
        status: span.status?.code ?? 0,
      }),
    ) as readonly SeenSpan[],
  };
}

export interface Collector {
  readonly url: URL;
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: Buffer;
  }[];
  readonly spans: () => readonly SeenSpan[];
}

const accept = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(200).end();

/** Closed when the test is over. `answer` may leave a request without one. */
export async function startCollector(answer: typeof accept = accept): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    requests,
    spans: () => requests.flatMap(({ body }) => decode(body).spans),
  };
}
