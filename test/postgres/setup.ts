/** One server for all test files of the project that need one. */
import type { TestProject } from 'vitest/node';
import { runServer } from './run-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: { readonly port: number; readonly password: string };
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { port, password, close } = await runServer();
  provide('postgres', { port, password });
  return close;
}
