/** A plan is read whole, or refused with file, place and the nearest name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../src/rehearsal/index.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
const file = join(folder, 'plan.json');

const link = { begin: 'GET http://localhost:3000/link', drive: 'follow', done: { url: '/accounts' } };

function read(plan: unknown) {
  writeFileSync(file, typeof plan === 'string' ? plan : JSON.stringify(plan));
  return readPlan(file);
}

describe('a plan', () => {
  it('says how the application is started, driven and asked, and where it lies', () => {
    const plan = read({ app: { link, reset: 'restart' }, families: ['paging'], seed: 7 });
    expect(plan).toMatchObject({
      app: { link, reset: 'restart' },
      families: ['paging'],
      seed: 7,
      file,
      folder,
    });
  });

  it.each([
    [
      'an unknown member',
      { app: { link, sink: 1 } },
      'app: “sink” is not known here; the nearest name is “link”',
    ],
    [
      'an unknown cell',
      { app: { link }, cells: ['paging/same-pages'] },
      'cells[0]: there is no cell “paging/same-pages”; the nearest is “paging/same-page”',
    ],
    [
      'an unknown family',
      { app: { link }, families: ['pagin'] },
      'families[0]: there is no family “pagin”; the nearest is “paging”',
    ],
    [
      'an unknown verdict',
      { app: { link }, expect: { 'paging/same-page': 'silent-wrong' } },
      'there is no verdict “silent-wrong”; the nearest is “silently-wrong”',
    ],
    ['no way to link', { app: {} }, 'app.link: it is missing'],
    [
      'an address without a method',
      { app: { link: { ...link, begin: 'http://localhost:3000/link' } } },
      'app.link.begin: a method and an address are expected, such as POST http://localhost:3000/sync',
    ],
    [
      'a driver that there is not',
      { app: { link: { ...link, drive: 'chrome' } } },
      'app.link.drive: "follow", "browser" or { "command": "…" } is expected',
    ],
    [
      'an end that nothing tells',
      { app: { link: { ...link, done: {} } } },
      'app.link.done: one of url, text and request is expected',
    ],
    [
      'an address of a file',
      { app: { link, start: { command: 'x', ready: 'file:///etc/passwd' } } },
      'app.start.ready: an address is expected',
    ],
    ['a list', [], 'an object in { } is expected'],
  ])('with %s is refused in words', (_, plan, words) => {
    expect(() => read(plan)).toThrow(words);
    expect(() => read(plan)).toThrow(file);
  });

  it('that is no JSON is refused by line and column', () => {
    expect(() => read('{ "app": {\n  "link": ] }')).toThrow('line 2, column 11');
  });

  it('that is not there is said to be missing', () => {
    expect(() => readPlan(join(folder, 'none.json'))).toThrow('there is no such file');
  });
});
