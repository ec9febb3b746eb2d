/** The schema of a user's own rule, and what is wrong with one. */
import * as z from 'zod';
import { operationsOf } from '../../answer/index.js';
import { jsonPath } from '../../exchange/index.js';
import type { OwnDefinition, OwnFile, OwnScope } from '../../rules/own/index.js';
import {
  EVERY_OPERATION_ID,
  inPlainWords,
  type OperationId,
  SandgateError,
  slipOf,
} from '../../spec/index.js';

const text = (most: number) => z.string().trim().min(1, { error: 'a text is expected' }).max(most);
const texts = z.record(z.string(), z.string());
const severity = z.enum(['must', 'should', 'note', 'off']);

const operation = z.string().transform((name, context) => {
  const [found, ...more] = operationsOf(name);
  if (found !== undefined && more.length === 0) return found;
  context.addIssue({ code: 'custom', message: unknownOperation(name) });
  return z.NEVER;
});

const operations = z
  .array(z.string())
  .min(1)
  .transform((names, context) => {
    const found = new Set<OperationId>();
    for (const name of names) {
      const meant = operationsOf(name);
      if (meant.length === 0) context.addIssue({ code: 'custom', message: unknownOperation(name) });
      for (const one of meant) found.add(one);
    }
    return [...found];
  });

function unknownOperation(name: string): string {
  const meant = slipOf(name.slice(0, 100), EVERY_OPERATION_ID);
  return `there is no operation ${name.slice(0, 100)}${meant === '' ? '' : `. Did you mean ${meant}?`}`;
}

const example = z.strictObject({
  says: text(200),
  call: z.strictObject({
    operation,
    params: texts.exactOptional(),
    query: texts.exactOptional(),
    headers: texts.exactOptional(),
    json: z.unknown().optional(),
    form: texts.exactOptional(),
    body: z.string().exactOptional(),
    tpp: z.string().nullable().exactOptional(),
    at: z.iso.datetime().exactOptional(),
  }),
  answer: z
    .strictObject({
      status: z.int().min(100).max(599),
      headers: texts.exactOptional(),
      json: z.unknown().optional(),
      body: z.string().exactOptional(),
      source: z.enum(['rule', 'emulator', 'upstream', 'replay', 'gateway']).exactOptional(),
    })
    .exactOptional(),
  token: z.strictObject({ scope: z.string(), issuedAt: z.number(), expiresAt: z.number() }).exactOptional(),
  consent: z
    .strictObject({
      id: z.string(),
      status: z.string(),
      createdAt: z.number(),
      validUntil: z.iso.date().nullable(),
      recurring: z.boolean().nullable(),
      frequencyPerDay: z.number().nullable(),
    })
    .exactOptional(),
  verdict: z.enum(['complied', 'violated', 'not-applicable', 'not-observed']),
});

const ID = /^x-[a-z\d]+(?:-[a-z\d]+)*\/[a-z\d]+(?:-[a-z\d]+)*$/;

const callNeeds = z.array(z.enum(['tpp', 'json', 'form'])).default([]);
const needs = z
  .array(
    z.enum([
      'tpp',
      'json',
      'form',
      'bank-answer',
      'bank-success',
      'bank-error',
      'answer-body',
      'answer-json',
    ]),
  )
  .default([]);

const base = z.strictObject({
  id: z.string().max(100).regex(ID, { error: 'an id such as x-acme/consent-is-short is expected' }),
  statement: text(300),
  source: z.strictObject({
    text: text(300),
    url: z
      .url({ protocol: /^https?$/, error: 'an http(s) URL is expected' })
      .max(500)
      .exactOptional(),
  }),
  severity: z
    .strictObject({ sandbox: severity, production: severity })
    .default({ sandbox: 'must', production: 'must' }),
  appliesTo: z.union([z.literal('all'), operations], {
    error: 'all, or a list of operations such as consents.create or accounts.*, is expected',
  }),
  why: text(1_000),
  fix: text(500),
  examples: z
    .array(example)
    .max(100)
    .refine(
      (all) => (['complied', 'violated'] as const).every((one) => all.some(({ verdict }) => verdict === one)),
      {
        error: 'an example that complied and one that violated are expected',
      },
    ),
});

const ofCall = base.extend({ scope: z.literal('call'), judges: z.literal('tpp'), needs: callNeeds });
const ofExchange = base.extend({ scope: z.literal('exchange'), judges: z.enum(['tpp', 'aspsp']), needs });

/** @throws SandgateError that names file, rule, member and what is expected there */
export function readDefinition(given: unknown, file: OwnFile): OwnDefinition & OwnScope {
  const {
    id,
    judges = 'tpp',
    scope = judges === 'aspsp' ? 'exchange' : 'call',
  }: Partial<Record<string, unknown>> = {
    ...Object(given),
  };
  const schema = scope === 'call' ? ofCall : ofExchange;
  const read = schema.safeParse({ ...Object(given), judges, scope }, { error: inPlainWords });
  const called = typeof id === 'string' ? id.slice(0, 100) : 'a rule without an id';
  const issue = read.error?.issues[0];
  if (read.success) return { ...read.data, statement: read.data.statement.replace(/\.$/, ''), file };
  const place = issue === undefined || issue.path.length === 0 ? '' : `, ${jsonPath(issue.path)}`;
  throw new SandgateError('own-rules.rule', {
    file: file.name,
    problem: `${called}${place}: ${issue?.message ?? 'another form is expected'}`,
  });
}
