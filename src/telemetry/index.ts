/** The telemetry layer: what others are told of the calls, behind their way: traces of OpenTelemetry, and webhooks. */

export { EVENT_TYPES, type EventType } from './event-types.js';
export { createCalendar, createEvents, createOnce, driftsOfShadow } from './events.js';
export { createOtlp, type OtlpParts } from './otlp.js';
export { readHeaders } from './read-headers.js';
export { createWebhooks, readWebhookKey } from './webhooks.js';
