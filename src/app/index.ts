/** The settings of the gateway, and its putting together. */
export type { Urls } from './addresses.js';
export * from './config.js';
export { type ConfigSources, type EffectiveOption, type LoadedConfig, loadConfig } from './config-load.js';
export { CONFIG_OPTIONS, type ConfigOption } from './config-options.js';
export { type Sandgate, type StartOptions, startSandgate } from './gateway-app.js';
export { createLog, type Log } from './log.js';
export { type SystemParts, systemParts } from './system-parts.js';
