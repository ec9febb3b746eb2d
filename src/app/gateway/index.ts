/** Putting a gateway together from its settings. */

export { INDEX_THREAD } from '../built.js';
export { type Sandgate, type StartOptions, startSandgate } from './gateway-app.js';
export { openGroup } from './open-group.js';
export { filesOf as bankFilesOf, upstreamWarnings } from './upstream-source.js';
