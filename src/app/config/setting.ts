/** How one setting is declared: its schema, with what is said of it. */
import type * as z from 'zod';
import { values } from './values.js';

export interface OptionMeta {
  readonly description: string;
  /** What stands for the value in help texts; absent for switches. */
  readonly placeholder?: string;
  /** As a person would type it; absent where there is none. */
  readonly fallback?: string | boolean;
  /** What `--no-name` does, of a switch that is on by default. */
  readonly without?: string;
  /** What the flag alone means, without a value. */
  readonly alone?: string;
  /** Its value is never printed. */
  readonly secret?: true;
  /** Written in a file only. */
  readonly fileOnly?: true;
  /** Not a flag: what is typed there can be read by everybody on the machine. */
  readonly noFlag?: true;
  /** One line for the help of `serve`, where the setting is of everyday use; the others are in `--help-all`. */
  readonly brief?: string;
  /** Verdicts depend on it: sessions note it, and a report judges by what was noted. */
  readonly judges?: true;
}

type More = Pick<OptionMeta, 'brief' | 'judges'>;

/** A setting with a default, written as a person would type it. */
export function withDefault<S extends z.ZodType>(
  schema: S,
  fallback: string,
  placeholder: string,
  description: string,
  more: More = {},
) {
  const meta: OptionMeta = { description, placeholder, fallback, ...more };
  return schema.prefault(fallback as z.input<S> & string).meta({ ...meta });
}

export function optional<S extends z.ZodType>(
  schema: S,
  placeholder: string,
  description: string,
  more: Partial<OptionMeta> = {},
) {
  return schema.optional().meta({ description, placeholder, ...more });
}

/** A setting of the file alone: its value is no text. */
export function inFile<S extends z.ZodType>(schema: S, description: string, more: More = {}) {
  return schema.optional().meta({ description, fileOnly: true, ...more });
}

export const address = (fallback: string, description: string, brief: string) =>
  withDefault(values.address, fallback, 'HOST:PORT', description, { brief });
export const time = (fallback: string, description: string) =>
  withDefault(values.duration, fallback, 'TIME', description);
export const size = (fallback: string, description: string) =>
  withDefault(values.size, fallback, 'SIZE', description);
export const count = (fallback: string, description: string) =>
  withDefault(values.count, fallback, 'COUNT', description);
export const file = (description: string, more: More = {}) =>
  optional(values.text, 'FILE', description, more);
export const files = (description: string, more: More = {}) =>
  optional(values.list, 'FILE,…', description, more);
export const origin = (description: string) => optional(values.origin, 'URL', description);
export const baseUrl = (description: string, more: More = {}) =>
  optional(values.baseUrl, 'URL', description, more);

/** A switch, off by default; one that is on says what turning it off does (`--no-name`). */
export function toggle(description: string, without?: string, more: More = {}) {
  const fallback = without !== undefined;
  const meta: OptionMeta = { description, fallback, ...(fallback ? { without } : {}), ...more };
  return values.yes.prefault(fallback).meta({ ...meta });
}
