/**
 * The fields of a report that do not follow from its recording but were chosen by its maker; only a signature covers
 * them.
 */
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_CAPS, type Judging, type Report } from '../../report/index.js';
import type { UsualRecipe } from '../report/source.js';

export interface FieldsParts {
  /** Of this program. */
  readonly version: string;
  /** Where the reader found the older report; null where it was not looked at. */
  readonly baseline: string | null;
  /** Where the reader found the file that the report was made of; null for a session. */
  readonly recording: string | null;
  /** Fields that tell of checkpoints and could not be made again: the reader has not the keys that they name. */
  readonly unwitnessed: readonly string[];
}

/** Their places in the report, as `head.title`; none where every field follows. */
export function chosenFields(report: Report, usual: UsualRecipe, parts: FieldsParts): string[] {
  return [...inHead(report, parts), ...parts.unwitnessed, ...inRecipe(report, usual)];
}

function inHead({ head, baseline }: Report, parts: FieldsParts): string[] {
  const { recording, title, madeAt, gateway } = head;
  return [
    ...(title === `Compliance report: ${recording.session ?? recording.name}` ? [] : ['head.title']),
    ...(parts.recording === null || parts.recording === recording.name ? [] : ['head.recording.name']),
    ...(madeAt === null ? [] : ['head.madeAt']),
    ...(gateway.version === parts.version ? [] : ['head.gateway.version']),
    ...(baseline === null ? [] : fieldsOfBaseline(baseline.name, parts.baseline)),
  ];
}

function fieldsOfBaseline(name: string, found: string | null): string[] {
  if (found === null) return ['baseline'];
  return found === name ? [] : ['baseline.name'];
}

/** What the head says of each member of the recipe stands or falls with it. */
const TOLD_AT: Readonly<Partial<Record<keyof Judging, string>>> = {
  profile: 'head.profile',
  dailyWindow: 'head.dailyWindow',
  overrides: 'head.overrides',
  waivers: 'head.waivers',
};

function inRecipe({ recipe }: Report, usual: UsualRecipe): string[] {
  const judging = Object.keys(usual.judging) as (keyof Judging)[];
  const caps = Object.keys(DEFAULT_CAPS) as (keyof typeof DEFAULT_CAPS)[];
  return [
    ...judging
      .filter((member) => !isDeepStrictEqual(recipe.judging[member], usual.judging[member]))
      .flatMap((member) => [`recipe.judging.${member}`, TOLD_AT[member] ?? []].flat()),
    ...(isDeepStrictEqual(recipe.judgings, usual.judgings)
      ? []
      : ['recipe.judgings', 'head.profile', 'head.overrides', 'head.waivers']),
    ...(recipe.rejudged === usual.rejudged ? [] : ['recipe.rejudged']),
    ...(recipe.host === usual.host ? [] : ['recipe.host']),
    ...(isDeepStrictEqual(recipe.earlier, usual.earlier) ? [] : ['recipe.earlier']),
    ...caps.filter((cap) => recipe.caps[cap] !== DEFAULT_CAPS[cap]).map((cap) => `recipe.caps.${cap}`),
  ];
}
