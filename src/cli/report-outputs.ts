/** The targets of report formats: standard output, a file, or a folder. */
import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { FORMAT_NAMES, FORMATS, type Format, formatOf } from '../report/index.js';
import { SandgateError, slipOf } from '../spec/index.js';
import { fileToWrite } from './output.js';

export interface Output {
  readonly format: Format;
  readonly file: string | null;
}

/** `formats` as typed, `html,json` or one at a time; `outs` one folder or file for all, or one for each. */
export function planOutputs(formats: readonly string[], outs: readonly string[]): Output[] {
  const wanted = [...new Set(formats.flatMap((list) => list.split(',')).map(readFormat))];
  const files = outs.flatMap((out) => fileToWrite(out) ?? []);
  if (files.length === 0) {
    const [format = 'markdown', ...more] = wanted;
    if (more.length > 0) throw new SandgateError('report.needs-folder', {});
    return [{ format, file: null }];
  }
  if (files.length < outs.length) throw new SandgateError('report.out-mixed', {});
  if (wanted.length === 0) return outs.map((file) => ({ format: readFormatOf(file), file }));
  if (outs.length === wanted.length && outs.length > 1)
    return wanted.map((format, i) => ({ format, file: fileIn(outs[i] ?? '', format) }));
  const [out = ''] = outs;
  if (outs.length > 1)
    throw new SandgateError('report.out-count', { formats: wanted.length, outs: outs.length });
  if (wanted.length === 1) return wanted.map((format) => ({ format, file: fileIn(out, format) }));
  return wanted.map((format) => ({ format, file: join(out, FORMATS[format].file) }));
}

function readFormat(text: string): Format {
  const name = text.trim().toLowerCase();
  if (Object.hasOwn(FORMATS, name)) return name as Format;
  throw new SandgateError('report.unknown-format', {
    name,
    nearest: slipOf(name, FORMAT_NAMES),
    names: FORMAT_NAMES.join(', '),
  });
}

export function readFormatOf(file: string): Format {
  const format = formatOf(file);
  if (format !== null) return format;
  throw new SandgateError('report.untold-format', { file });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function fileIn(out: string, format: Format): string {
  return /[/\\]$/.test(out) || isFolder(out) ? join(out, FORMATS[format].file) : out;
}

/** Refuses, before any work is done, to write over what is read, or twice into one file. */
export function checkOutputs(outputs: readonly Output[], read: readonly (string | undefined)[]): void {
  const taken = new Set(
    read.filter((path): path is string => path !== undefined).map((path) => resolve(path)),
  );
  for (const { file } of outputs) {
    if (file === null) continue;
    const path = resolve(file);
    if (taken.has(path)) throw new SandgateError('report.same-file', { file });
    taken.add(path);
  }
}

/** The file of the signed statement: beside the JSON report, else beside the first file; null without any. */
export function statementOf(outputs: readonly Output[]): string | null {
  const { file = null } = outputs.find((one) => one.format === 'json' && one.file !== null) ??
    outputs.find((one) => one.file !== null) ?? { file: null };
  return file === null ? null : `${file}.jws`;
}

/** The name of the statement in `file`: its base name in the same folder, else the path to it. */
export function nameBeside(file: string, statement: string): string {
  return relative(dirname(resolve(file)), resolve(statement));
}
