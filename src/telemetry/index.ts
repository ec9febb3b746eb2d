/** The telemetry layer: what others are told of the calls, behind their way: traces of OpenTelemetry. */
export { createOtlp, type OtlpParts } from './otlp.js';
export { readHeaders } from './read-headers.js';
