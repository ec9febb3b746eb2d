/** Takes the rules out of a module of the user's. Imports nothing: a thread runs it. */

/** Rules without their checks, which are functions and stay where they are. */
export interface ModuleRules {
  readonly rules: readonly unknown[];
  readonly checks: readonly ((seen: unknown) => unknown)[];
}

/** Throws an Error that says what is expected of the file. */
export async function readModule(url: string): Promise<ModuleRules> {
  const { default: exported }: { default?: unknown } = await import(url);
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (list.length === 0 || exported === undefined)
    throw new Error('a rule, or a list of rules, is expected as the default export');
  const rules: unknown[] = [];
  const checks: ((seen: unknown) => unknown)[] = [];
  for (const one of list) {
    if (typeof one !== 'object' || one === null)
      throw new Error('the default export holds something that is not a rule');
    const { check, ...rest }: { check?: unknown } = one;
    if (!isCheck(check)) throw new Error('a rule of the file has no function check');
    // Plain data, in a thread as here: whatever else a rule holds cannot be changed later.
    rules.push(structuredClone(rest));
    checks.push(check);
  }
  return { rules, checks };
}

const isCheck = (value: unknown): value is (seen: unknown) => unknown => typeof value === 'function';
