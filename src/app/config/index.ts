/** Settings: read, checked, and where each comes from. */
export { bankProfileNames } from '../built.js';
export * from './bank-profile.js';
export * from './config.js';
export { type EffectiveRule, effectiveRules } from './effective-rules.js';
export { type ConfigSources, type EffectiveOption, type LoadedConfig, loadConfig } from './load.js';
export { openConfigured, openConfiguredIfAny, storeKeyFile } from './open-configured.js';
export { CONFIG_OPTIONS, type ConfigOption, hasFlag } from './options.js';
export * from './read-file.js';
export * from './times.js';
export { isWithin, readClockTime, readSignedDuration, readSpeed } from './times.js';
export { allSourcesOf } from './values.js';
