/** The options by which commands know which living bank is meant. */
import { InvalidArgumentError } from 'commander';
import { type Config, loadConfig } from '../app/config/index.js';
import type { CliContext } from './context.js';

export interface BankFlags {
  readonly bankSeed?: string;
  readonly bankPsus?: string;
  readonly bankData?: string;
}

/** The defaults are those of serve: its settings file and variables are read. */
export const BANK_OPTIONS = [
  ['--bank-seed <NUMBER>', 'Seed of the bank (default: that of serve, 42).'],
  ['--bank-psus <COUNT>', 'How many PSUs it has (default: that of serve, 10).'],
] as const;
export const BANK_DATA_OPTION = [
  '--bank-data <DIR>',
  'Folder with PSUs, accounts and postings, instead of a seed (default: that of serve).',
] as const;

export function bankConfig({ bankSeed, bankPsus, bankData }: BankFlags, { env }: CliContext): Config {
  const given = Object.entries({ bankSeed, bankPsus, bankData }).filter(([, value]) => value !== undefined);
  return loadConfig({ flags: Object.fromEntries(given), env }).config;
}

export function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number is expected.');
}
