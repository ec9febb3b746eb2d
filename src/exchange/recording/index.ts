/** Recordings in files, read and written. What these are made of is not loaded where nobody opens one. */
export * from '../cassette/cassette.js';
export * from '../har/har.js';
export { bytesOf, type FileBytes } from './json-elements.js';
export * from './read-recording.js';
