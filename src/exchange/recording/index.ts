/** Recordings in files, read and written. What these are made of is not loaded where nobody opens one. */
export * from '../cassette/cassette.js';
export { cassetteLines } from '../cassette/cassette-lines.js';
export * from '../har/har.js';
export { bytesOf, type FileBytes } from './file-bytes.js';
export * from './read-recording.js';
