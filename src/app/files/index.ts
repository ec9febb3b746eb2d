/** Files that the user named, read within limits. */
export { MOST_FILE_BYTES, readWhole } from './read-whole.js';
