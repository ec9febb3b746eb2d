/** The app layer: settings, and building a gateway from them. */
export * from './bank/index.js';
export * from './certificates/index.js';
export * from './check/index.js';
export * from './clock/index.js';
export * from './compare/index.js';
export * from './config/index.js';
export * from './doctor/index.js';
export * from './engine/index.js';
export * from './gateway/index.js';
export * from './report/index.js';
export * from './rerun/index.js';
export * from './sessions/index.js';
export * from './system/index.js';
export * from './verify/index.js';
