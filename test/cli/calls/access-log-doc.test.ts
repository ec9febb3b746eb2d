/** docs/sessions.md names the fields that the access log has. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brief } from '../../../src/admin/exchanges/index.js';

describe('the page on sessions', () => {
  it('names each field of a line of the access log, as it is described', () => {
    const page = readFileSync(new URL('../../../docs/sessions.md', import.meta.url), 'utf8');
    const fields = [...page.matchAll(/^\| `([a-z]+)` \| (.*) \|$/gm)].map(([, name, text]) => [name, text]);
    const described = Object.entries(brief.shape).map(([name, field]) => [name, field.description]);
    expect(fields).toEqual([...described, ['report', 'Address of its page; null where it is not known.']]);
  });
});
