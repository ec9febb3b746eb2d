/** A rehearsal as text, JSON, JUnit and HTML. */
import { describe, expect, it } from 'vitest';
import { CELLS } from '../../src/rehearsal/cells/index.js';
import { isHandled, renderJunit, renderList, renderText, toJson } from '../../src/rehearsal/index.js';
import { aRehearsal } from './a-rehearsal.js';

describe('as text', () => {
  it('has a sign for each cell, what went wrong with its calls, and a sum', () => {
    const text = renderText(aRehearsal(), { [CELLS[0]?.id ?? '']: 'crashed' });
    expect(text).toMatch(/^sca +·!\n/m);
    expect(text).toContain('silently-wrong');
    expect(text).toContain('calls 6H2K0A1B3C58');
    expect(text).toContain('8 cells: 1 handled, 1 silently-wrong, 1 crashed');
    expect(text).toContain(`The plan expects crashed of ${CELLS[0]?.id}; it is handled.`);
  });

  it('lists every cell with its source, what a sound application does, and how the weather lifts', () => {
    const list = renderList(CELLS);
    for (const { id, happens, seen, sound } of CELLS)
      for (const part of [id, happens, seen, sound]) expect(list).toContain(part);
  });
});

describe('as JSON', () => {
  it('has seed, cells and counts', () => {
    const json = JSON.parse(JSON.stringify(toJson(aRehearsal(['handled', 'not-run']))));
    expect(Object.keys(json)).toEqual(['seed', 'cells', 'counts']);
    expect(Object.keys(json.cells[0])).toEqual(['id', 'family', 'verdict', 'why', 'ms', 'exchanges']);
    expect(json.cells[0].exchanges).toHaveLength(60);
    expect(json.counts).toMatchObject({ handled: 1, 'not-run': 1, crashed: 0 });
  });
});

describe('as JUnit', () => {
  it('has a suite for each family, failures with their exchanges, and skips', () => {
    const xml = renderJunit(aRehearsal());
    expect(xml).toContain(
      '<testsuites name="sandgate rehearse" tests="8" failures="6" errors="0" skipped="1" time="9.872">',
    );
    expect(xml).toContain('type="silently-wrong"');
    expect(xml).toContain('6H2K0A1B3C58');
    expect(xml).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot;');
    expect(xml).not.toContain('<script>');
  });
});

describe('a rehearsal', () => {
  it.each([
    [['handled', 'handled'], true],
    [['handled', 'not-run'], true],
    [['not-run'], false],
    [['handled', 'hammered'], false],
  ] as const)('of %j is handled: %s', (verdicts, handled) => {
    expect(isHandled(aRehearsal(verdicts).cells)).toBe(handled);
  });
});
