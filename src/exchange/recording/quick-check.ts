/** Tells quickly whether a value fits a schema, where nobody needs the copy that zod makes of it. */
import type { z } from 'zod';

type Check = (value: unknown) => boolean;

/**
 * Of JSON, made once out of the schema: true where the schema takes the value. What is not known here (a refinement, a
 * form of text) is asked of the schema's own part. To zod an entry of a file is a third of the work of reading it.
 */
export function createCheck(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const asked: Check = (value) => (schema as z.ZodType).safeParse(value).success;
  if ((def.checks?.length ?? 0) > 0 || 'check' in def || 'coerce' in def) return asked;
  switch (def.type) {
    case 'string':
      return (value) => typeof value === 'string';
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
        if (!Array.isArray(value)) return false;
        for (const one of value) if (!fits(one)) return false;
        return true;
      };
    }
    case 'object': {
      if (def.catchall !== undefined) return asked;
      const members = Object.entries(def.shape).map(([name, member]) => ({
        name,
        fits: createCheck(member),
      }));
      return (value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        for (const { name, fits } of members)
          if (!fits((value as Record<string, unknown>)[name])) return false;
        return true;
      };
    }
    default:
      return asked;
  }
}
