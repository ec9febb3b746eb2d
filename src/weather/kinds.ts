/** Every kind of fault, under `family/name`; a name alone will do where only one family has it. */
import * as z from 'zod';
import { SandgateError, slipOf } from '../spec/index.js';
import { FAMILIES, type Family, type Kind } from './kind.js';
import { ANSWER } from './kinds/answer.js';
import { CERTIFICATE } from './kinds/certificate.js';
import { CONTENT } from './kinds/content.js';
import { DONE } from './kinds/done.js';
import { LIMIT } from './kinds/limit.js';
import { NOTIFICATION } from './kinds/notification.js';
import { PAGING } from './kinds/paging.js';
import { RETURN } from './kinds/return.js';
import { TOKEN } from './kinds/token.js';
import { TRANSPORT } from './kinds/transport.js';

const TABLES: Readonly<Record<Family, Readonly<Record<string, Kind>>>> = {
  transport: TRANSPORT,
  answer: ANSWER,
  done: DONE,
  content: CONTENT,
  paging: PAGING,
  token: TOKEN,
  return: RETURN,
  notification: NOTIFICATION,
  certificate: CERTIFICATE,
  limit: LIMIT,
};

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  FAMILIES.flatMap((family) =>
    Object.entries(TABLES[family]).map(([name, kind]) => [`${family}/${name}`, kind] as const),
  ),
);

/** As they are listed: a parameter with what stands in its place where it is left out. */
export const KIND_ROWS = [...KINDS].map(([kind, { says, takes, needs = null }]) => ({
  kind,
  says,
  takes: parametersOf(takes),
  needs,
}));

function parametersOf(takes: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(takes, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const fallback = typeof schema === 'object' ? schema.default : undefined;
    return fallback === undefined ? name : `${name}=${fallback}`;
  });
}

const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

/** The whole name of a kind. @throws SandgateError where there is none of that name, or several */
export function kindNamed(name: string): string {
  if (KINDS.has(name)) return name;
  const keys = [...KINDS.keys()];
  const [only, ...others] = keys.filter((key) => nameIn(key) === name);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new SandgateError('weather.ambiguous', { name, names: [only, ...others].join(' or ') });
  const nearest = slipOf(name, [...keys.map(nameIn), ...keys]);
  throw new SandgateError('weather.unknown-kind', { name, nearest });
}
