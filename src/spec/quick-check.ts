/** Tells quickly whether a value fits a schema, where nobody needs the copy that zod makes of it. */
import type * as z from 'zod';

type Check = (value: unknown) => boolean;

/**
 * Of JSON, made once out of the schema: true where the schema takes the value. What is not known here (a refinement, a
 * form of text) is asked of the schema's own part. To zod an entry of a file is a third of the work of reading it, and
 * the body of an answer a sixth of that of judging it.
 */
export function createCheck(schema: z.core.$ZodType): Check {
  const def = defOf(schema);
  const asked: Check = (value) => (schema as z.ZodType).safeParse(value).success;
  if (def.type === 'number' && 'format' in def && def.format === 'safeint' && def.checks === undefined)
    return Number.isSafeInteger;
  const least = leastLength(def.checks ?? []);
  if (least === null || 'check' in def || 'coerce' in def) return asked;
  switch (def.type) {
    case 'string':
      return (value) => typeof value === 'string' && value.length >= least;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'unknown':
      return () => true;
    case 'number':
      return (value) => Number.isFinite(value);
    case 'optional': {
      const fits = createCheck(def.innerType);
      return (value) => value === undefined || fits(value);
    }
    case 'nullable': {
      const fits = createCheck(def.innerType);
      return (value) => value === null || fits(value);
    }
    case 'enum':
    case 'literal': {
      const values = new Set<unknown>(def.type === 'enum' ? Object.values(def.entries) : def.values);
      return (value) => values.has(value);
    }
    case 'union': {
      const options = def.options.map(createCheck);
      return (value) => options.some((fits) => fits(value));
    }
    case 'array': {
      const fits = createCheck(def.element);
      return (value) => {
        if (!Array.isArray(value) || value.length < least) return false;
        for (const one of value) if (!fits(one)) return false;
        return true;
      };
    }
    case 'object': {
      if (def.catchall !== undefined && defOf(def.catchall).type !== 'unknown') return asked;
      const members = Object.entries(def.shape).map(([name, member]) => ({
        name,
        fits: createCheck(member),
      }));
      return (value) => {
        if (!isMembers(value)) return false;
        for (const { name, fits } of members) if (!fits(value[name])) return false;
        return true;
      };
    }
    case 'record': {
      const { type, checks = [] } = defOf(def.keyType);
      if (type !== 'string' || checks.length > 0) return asked;
      const fits = createCheck(def.valueType);
      return (value) => {
        if (!isMembers(value)) return false;
        // The schema passes over a member of that name.
        if (Object.hasOwn(value, '__proto__')) return asked(value);
        for (const one of Object.values(value)) if (!fits(one)) return false;
        return true;
      };
    }
    default:
      return asked;
  }
}

const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How long a text or a list must be; null where more than that is asked of it. */
function leastLength(checks: readonly z.core.$ZodCheck[]): number | null {
  let least = 0;
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check !== 'min_length') return null;
    least = Math.max(least, def.minimum);
  }
  return least;
}
