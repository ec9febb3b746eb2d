/** Cells of crowds: many PSUs at once, in good weather and in bad. */
import { at, type Cell, cells } from './cell.js';

const GROUP = {
  family: 'crowd',
  seen: 'the first of a month, and a newsletter: customers come at once, and states, tokens and pools get mixed up',
  sound:
    'It keeps each PSU’s state apart, bounds what it asks of the bank at once, and fails for those whom the weather meets, not for all.',
} as const;

// biome-ignore format: one cell per line
export const CROWD_CELLS: readonly Cell[] = cells(GROUP, {
  'hundred-links': { happens: 'A hundred PSUs link at once.', storm: ['100 link'], after: ['clock 1d', 'sync'], must: true },
  'twenty-syncs': { happens: 'Ten PSUs have linked, and five syncs begin at once.', calm: ['10 link'], storm: ['5 sync'], after: ['clock 1d', 'sync'] },
  'twenty-payments': { happens: 'Twenty payments at once by one PSU’s application.', calm: ['link'], storm: ['20 pay'], after: ['clock 1d', 'sync'], must: true },
  'slow-links': { happens: 'Thirty PSUs link at once, and each answer is late.', weather: [at('listener:api', 'transport/delay', { ms: 200 })], storm: ['30 link'], after: ['clock 1d', 'sync'], must: true },
  'links-and-500': { happens: 'Thirty PSUs link at once, and every tenth call is answered 500.', weather: [at('listener:api', 'answer/status', { status: 500 }, { share: 0.1 })], storm: ['30 link'], after: ['clock 1d', 'link', 'sync'] },
  'links-and-reset': { happens: 'Thirty PSUs link at once, and every tenth connection is reset.', weather: [at('listener:api', 'transport/reset', {}, { share: 0.1 })], storm: ['30 link'], after: ['clock 1d', 'link', 'sync'] },
  'syncs-and-429': { happens: 'Ten PSUs have linked; every third read is answered 429.', calm: ['10 link'], weather: [at('operation:accounts.*', 'answer/status', { status: 429 }, { share: 0.33 })], storm: ['sync'], after: ['clock 1d', 'sync'], calls: 20 },
});
