/** What another page of the program needs to look like the report. */
export { type Fact, Facts, Name, Nothing, PARTY, Recorded, Severity, Time, Wide } from './parts.js';
export { BASE_STYLE } from './style/base-style.js';
export { bytes, counted, grouped, millis, stamp, visible } from './text.js';
