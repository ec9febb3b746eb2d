/** The one model of a compliance report, from which each format is rendered. */
import * as z from 'zod';
import { baseline, citedExchange, coverage, findingGroup, verdict } from './model/findings.js';
import { counterpart, head, otherCallers, recipe, tpp } from './model/head.js';
import { certificates, dailyLimit, journeys } from './model/journeys.js';
import { gap, notTested } from './model/missing.js';
import { access, availability, exercised } from './model/seen.js';
import { appendix, bankDeviation, evidence, reading, traffic } from './model/traffic.js';

/** Raised when a member changes its meaning or goes; new members keep it. */
export const REPORT_VERSION = 1;

export const reportSchema = z.strictObject({
  format: z.literal('sandgate-report'),
  version: z.literal(REPORT_VERSION),
  head,
  tpps: z.array(tpp),
  otherCallers,
  against: z.array(counterpart),
  verdict,
  baseline: baseline.nullable(),
  findings: z.array(findingGroup).describe('The gravest first, then in the order of the catalogue.'),
  gaps: z.array(gap).default([]).describe('What production would refuse, and what only a sandbox allows.'),
  coverage,
  notTested: z.array(notTested).default([]).describe('What never happened; `coverage` has all of it.'),
  exercised,
  access,
  journeys,
  dailyLimit,
  certificates,
  bankDeviations: z.array(bankDeviation),
  readings: z.array(reading),
  traffic,
  availability,
  evidence,
  exchanges: z
    .record(z.string(), citedExchange)
    .describe('Excerpts of the exchanges that findings cite, by id.'),
  appendix,
  recipe: recipe.describe('What a rebuild out of the recording needs.'),
});

export type Report = z.infer<typeof reportSchema>;
export type FindingGroup = Report['findings'][number];
export type Occurrence = FindingGroup['occurrences'][number];
export type CitedExchange = Report['exchanges'][string];
export type Excerpt = CitedExchange['request'];
export type Journey = Report['journeys']['lanes'][number];
export type Step = Journey['steps'][number];
export type AppendixRow = Report['appendix']['exchanges'][number];
export type Percentiles = Report['traffic']['latency']['total'];
export type Exercised = Report['exercised']['rows'][number];
export type Access = Report['access'][number];
export type Availability = Report['availability'];
export type Statistics = NonNullable<Report['recipe']['statistics']>;
export type PublishedRow = Statistics['rows'][number];
export type Recipe = Report['recipe'];
export type Judging = Recipe['judging'];
export type Caps = Recipe['caps'];
export type ShownCertificate = Report['against'][number]['shown'][number];
export type Mark = AppendixRow['findings'][number];
export type Party = Report['verdict']['tpp'];
export type TppVerdict = Report['verdict']['tpps'][number];
export type Answerer = Report['verdict']['answerer'];
export type Outcome = Party['outcome'];
export type Gap = Report['gaps'][number];
export type NotTested = Report['notTested'][number];

export function reportJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(reportSchema), title: 'Compliance report of Sandgate' };
}
