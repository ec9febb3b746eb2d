/** Bundles: a session with its report and evidence in one file that can be checked anywhere. */
export { checkArchive, checkFiles } from './check.js';
export { filesOf, REPORT, SESSION, type SessionStore } from './files.js';
export { MANIFEST, STATEMENT } from './manifest.js';
export { type Bundle, openBundle, withBundledSession, withSessionStore } from './open.js';
export { bundleOf } from './write.js';
