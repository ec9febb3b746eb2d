/** Loads the own rules that the settings name, and runs their examples. */
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../exchange/index.js';
import {
  createOwnRules,
  isAbout,
  type OwnDefinition,
  type OwnRules,
  type OwnScope,
  runExample,
  type Said,
  type SeenExchange,
} from '../../rules/own/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import { askRule } from './ask-rule.js';
import { readDefinition } from './definition.js';
import { type FoundFile, findOwnFile } from './files.js';
import { type ModuleRules, readModule } from './read-module.js';
import { openRuleThread, type RuleThread } from './rule-thread.js';

export interface LoadParts {
  /** Calls are answered in this process: no rule may hold them up. */
  readonly isLive?: boolean;
  /** Takes one line when a rule is switched off. */
  readonly onOff?: (line: string) => void;
  /** Paths are relative to it; none leads out of it. */
  readonly cwd?: string;
  /** The settings in force, whose rules are loaded: they stay if their files have not changed. */
  readonly before?: Config;
}

/**
 * The settings with the own rules that they name. Nothing else leads to a file that is run: neither a recording nor its
 * notes, nor the admin API.
 */
export async function withOwnRules(
  config: Config,
  { isLive = false, onOff = () => {}, cwd, before }: LoadParts = {},
): Promise<Config> {
  const { ownRules = [], customRulesWorker } = config;
  if (ownRules.length === 0 || config.loadedRules !== undefined) return config;
  const found = new Map(ownRules.map(({ name }) => findOwnFile(name, cwd)).map((file) => [file.path, file]));
  const files = [...found.values()];
  const named = files.map(({ name, digest }) => ({ name, digest }));
  if (before?.loadedRules !== undefined && isDeepStrictEqual(before.ownRules, named))
    return { ...config, ownRules: named, loadedRules: before.loadedRules };
  const isKnown = (file: FoundFile): boolean =>
    before?.ownRules?.some(({ digest }) => digest === file.digest) === true;
  const composed = before === undefined ? undefined : files.find((file) => !file.isAlone && !isKnown(file));
  if (composed !== undefined && !customRulesWorker)
    throw new SandgateError('reload.own-rules', { file: composed.name });
  const loadedRules = customRulesWorker
    ? loadInThread(files, isLive, onOff)
    : await loadHere(files, onOff, before !== undefined);
  return { ...config, ownRules: named, loadedRules };
}

async function loadHere(
  files: readonly FoundFile[],
  onOff: (line: string) => void,
  isAgain: boolean,
): Promise<OwnRules> {
  const read: ModuleRules[] = [];
  for (const file of files) {
    try {
      const { href } = pathToFileURL(file.path);
      // Node loads a module once for each address.
      read.push(await readModule(isAgain && file.isAlone ? `${href}?${file.digest}` : href));
    } catch (cause) {
      throw unloadable(file, String(cause), cause);
    }
  }
  const definitions = definitionsOf(
    files,
    read.map(({ rules }) => rules),
  );
  const checks = read.flatMap((one) => one.checks);
  const ask = (rule: number, seen: unknown): Said => askRule(checks[rule] ?? (() => 'not-observed'), seen);
  const { rules } = createOwnRules(definitions, (rule, see) => ask(rule, see()), onOff);
  runExamples(definitions, rules, ask);
  return { rules, askAhead: null, close: () => {} };
}

/** Verdicts of other threads are kept for so many calls until they are judged. */
const MOST_PREPARED = 1_000;

function loadInThread(files: readonly FoundFile[], isLive: boolean, onOff: (line: string) => void): OwnRules {
  const thread = openRuleThread(
    files.map(({ path }) => pathToFileURL(path).href),
    isLive,
    () => onOff('The thread of own rules ended and cannot be started again: they are not asked any more.'),
  );
  try {
    return rulesOfThread(thread, files, isLive, onOff);
  } catch (error) {
    thread.close();
    throw error;
  }
}

function rulesOfThread(
  thread: RuleThread,
  files: readonly FoundFile[],
  isLive: boolean,
  onOff: (line: string) => void,
): OwnRules {
  const { loaded } = thread;
  if (loaded?.kind !== 'ready') {
    const failed = files[loaded?.kind === 'failed' ? loaded.file : 0] ?? files[0];
    throw unloadable(failed, loaded?.kind === 'failed' ? loaded.problem : 'it takes longer than 10 s');
  }
  const definitions = definitionsOf(files, loaded.files);
  const prepared = new Map<string, Map<number, Said>>();
  const ask = isLive
    ? (rule: number, _: unknown, call: Call) => prepared.get(call.id)?.get(rule) ?? null
    : (rule: number, see: () => SeenExchange) => thread.askNow(rule, see());
  const own = createOwnRules(definitions, ask, onOff);
  runExamples(definitions, own.rules, thread.askNow);
  const askAhead: OwnRules['askAhead'] = (context, scope) => {
    const { id, operation, listener } = context.call;
    const wanted = own.rules.flatMap((rule, i) =>
      rule.scope === scope && !own.isOff(i) && isAbout(rule, operation, listener) ? [i] : [],
    );
    if (wanted.length === 0) return undefined;
    return thread.askSoon(wanted, own.view(context)).then((answers) => {
      const said = prepared.get(id) ?? new Map<number, Said>();
      answers.forEach((answer, i) => {
        const rule = wanted[i];
        if (answer !== null && rule !== undefined) said.set(rule, answer);
      });
      prepared.delete(id);
      prepared.set(id, said);
      const [oldest] = prepared.keys();
      if (prepared.size > MOST_PREPARED && oldest !== undefined) prepared.delete(oldest);
    });
  };
  return { rules: own.rules, askAhead: isLive ? askAhead : null, close: thread.close };
}

const unloadable = (file: FoundFile | undefined, problem: string, cause?: unknown) =>
  new SandgateError(
    'own-rules.rule',
    { file: file?.name ?? '', problem: `it cannot be loaded: ${problem.slice(0, 500)}` },
    { cause },
  );

function definitionsOf(files: readonly FoundFile[], rules: readonly (readonly unknown[])[]) {
  const definitions = files.flatMap(({ name, digest }, i) =>
    (rules[i] ?? []).map((one) => readDefinition(one, { name, digest })),
  );
  const known = new Map<string, string>();
  for (const { id, file } of definitions) {
    const before = known.get(id);
    if (before !== undefined)
      throw new SandgateError('own-rules.rule', {
        file: file.name,
        problem: `${id} is in ${before} already`,
      });
    known.set(id, file.name);
  }
  return definitions;
}

function runExamples(
  definitions: readonly (OwnDefinition & OwnScope)[],
  rules: OwnRules['rules'],
  ask: (rule: number, seen: SeenExchange) => Said,
): void {
  rules.forEach((rule, i) => {
    const { id, file, examples = [] } = definitions[i] ?? { id: '', file: { name: '' } };
    for (const example of examples) {
      const got = runExample(rule, example, (seen) => ask(i, seen));
      if (got === example.verdict) continue;
      const { says, verdict: expected } = example;
      throw new SandgateError('own-rules.example', {
        file: file.name,
        rule: id,
        example: says,
        expected,
        got,
      });
    }
  });
}
