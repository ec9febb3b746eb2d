/** Reads the sandbox's data files through their schemas, once, at start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX, SANDBOX_FILES, type SandboxData, SandgateError } from '../../spec/index.js';

type FileName = keyof typeof SANDBOX_FILES;

/** `read` gives the text of `accounts.json` and its siblings. Throws SandgateError that names file and place. */
export function loadSandboxData(read: (name: string) => string): SandboxData {
  const parts = (Object.keys(SANDBOX_FILES) as FileName[]).map(
    (name) => [name, loadFile(name, read)] as const,
  );
  const data = Object.fromEntries(parts) as SandboxData;
  if (!data.accounts.accounts.some(({ resourceId }) => resourceId === SANDBOX.accountId))
    throw faultOf('accounts.json', `no account has the resourceId ${SANDBOX.accountId}`);
  if (data.balances[SANDBOX.accountId] === undefined)
    throw faultOf('balances.json', `the balances of ${SANDBOX.accountId} are missing`);
  return data;
}

export function readSandboxData(folder: string): SandboxData {
  return loadSandboxData((name) => readFileSync(join(folder, name), 'utf8'));
}

function loadFile(name: FileName, read: (name: string) => string): unknown {
  const file = `${name}.json`;
  let value: unknown;
  try {
    value = JSON.parse(read(file));
  } catch (error) {
    throw faultOf(file, (error as Error).message, error);
  }
  const result = SANDBOX_FILES[name].safeParse(value, { jitless: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw faultOf(file, `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'not as expected'}`);
}

function faultOf(file: string, what: string, cause?: unknown): SandgateError {
  return new SandgateError('config.sandbox-data', { file, what }, cause === undefined ? {} : { cause });
}
