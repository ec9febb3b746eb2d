/** The model of a report: what its schema takes. */
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/report/index.js';
import { aReport } from './a-report.js';

describe('the schema of a report', () => {
  it('takes a whole report', () => {
    expect(reportSchema.parse(aReport())).toEqual(aReport());
  });

  it('refuses a member that it does not know', () => {
    expect(reportSchema.safeParse({ ...aReport(), extra: 1 }).success).toBe(false);
  });
});
