/** Exports of the report's look, for other pages of the program. */
export { type Fact, Facts, Name, Nothing, PARTY, Recorded, Severity, Time } from './parts.js';
export { BASE_STYLE } from './style/base-style.js';
export { Table } from './table.js';
export { bytes, counted, grouped, millis, stamp, visible } from './text.js';
