/** The settings as a flat list, each with its flag, variable and place in the file. */
import * as z from 'zod';
import { SETTINGS } from './config.js';
import type { OptionMeta } from './setting.js';

export interface ConfigOption extends OptionMeta {
  /** Place in the file: `listen`, `limits.body`. */
  readonly key: string;
  /** `--listen`, `--limits-body`. */
  readonly flag: string;
  /** `SANDGATE_LISTEN`, `SANDGATE_LIMITS_BODY`. */
  readonly variable: string;
  readonly isSwitch: boolean;
  /** The heading under which help and docs/configuration.md list it. */
  readonly group: string;
}

const kebab = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('.', '-');

function optionsOf(shape: z.core.$ZodShape, prefix: string, group: string): ConfigOption[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return optionsOf(inner.shape, `${prefix}${name}.`, group);
    const key = `${prefix}${name}`;
    const meta = z.globalRegistry.get(schema) as OptionMeta | undefined;
    if (meta === undefined) throw new TypeError(`the setting ${key} is not described`);
    return {
      ...meta,
      key,
      flag: `--${kebab(key)}`,
      variable: `SANDGATE_${kebab(key).replaceAll('-', '_').toUpperCase()}`,
      isSwitch: typeof meta.fallback === 'boolean',
      group,
    };
  });
}

export const CONFIG_OPTIONS: readonly ConfigOption[] = Object.entries(SETTINGS).flatMap(([group, shape]) =>
  optionsOf(shape, '', group),
);

export function hasFlag({ fileOnly, noFlag }: ConfigOption): boolean {
  return fileOnly !== true && noFlag !== true;
}

/** Keys of the settings on which verdicts depend. */
export const JUDGES: readonly string[] = CONFIG_OPTIONS.filter(({ judges }) => judges === true).map(
  ({ key }) => key,
);
