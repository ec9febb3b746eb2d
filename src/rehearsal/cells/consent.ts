/** Cells of consents: how they end, what replaces them, and what fails while they begin. */
import { at, type Cell, cells } from './cell.js';

const CREATE = 'operation:consents.create';

// biome-ignore format: one cell per line
export const CONSENT_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'consent',
      seen: 'every bank’s own list of TPPs, where the PSU ends an access with one press',
      sound:
        'At a consent that has ended it stops reading, forgets the tokens, shows the data as old, and asks the PSU to link again.',
      calm: ['link'],
      after: ['link', 'sync'],
      calls: 4,
    },
    {
      revoked: { happens: 'The PSU takes the consent back at the bank.', storm: ['bank revokes the consent', 'sync'] },
      expired: { happens: 'The bank ends the consent ahead of its time.', storm: ['bank expires the consent', 'sync'] },
      'revoked-overnight': { happens: 'The PSU takes the consent back; the application comes the next day.', storm: ['bank revokes the consent', 'clock 1d', 'sync'] },
      'revoked-many-syncs': { happens: 'The consent is taken back, and syncs go on for a week.', storm: ['bank revokes the consent', 'sync daily 7'] },
      'ninety-days': { happens: 'Ninety days of daily syncs: on the last day the consent ends.', storm: ['sync daily 92'] },
    },
  ),
  ...cells(
    {
      family: 'consent',
      seen: 'TPPs that renew at the last day: the new consent replaces the old one, which some went on using',
      sound: 'It renews ahead of the end, and uses the new consent from the first call on.',
      calm: ['link'],
      must: true,
    },
    {
      renewed: { happens: 'After eighty days of syncs the PSU links again: the older consent ends.', storm: ['sync daily 80', 'link', 'sync'], after: ['clock 1d', 'sync'] },
      'linked-twice': { happens: 'The PSU links the same bank again on the same day.', storm: ['link', 'sync'], after: ['clock 1d', 'sync'] },
    },
  ),
  ...cells(
    {
      family: 'consent',
      seen: 'gateways of banks that answer a creation late or not at all while the consent exists',
      sound: 'It tells the PSU that the bank cannot be reached, and leaves no consent that it believes in.',
      after: ['link', 'sync'],
    },
    {
      'create-500': { happens: 'The creation of the consent is answered 500.', weather: [at(CREATE, 'answer/status', { status: 500 })], storm: ['link'] },
      'create-lost': { happens: 'The consent is created, and the answer is lost.', weather: [at(CREATE, 'done/lost')], storm: ['link'] },
      'create-status-after': { happens: 'The consent is created, and the answer is a 5xx.', weather: [at(CREATE, 'done/status-after', { status: 502 })], storm: ['link'] },
      'create-no-link': { happens: 'The answer to the creation has no links.', weather: [at(CREATE, 'content/member', { member: '_links', to: 'absent' })], storm: ['link'] },
      'create-links-null': { happens: 'The links of the creation are null.', weather: [at(CREATE, 'content/member', { member: '_links', to: 'null' })], storm: ['link'] },
      'discovery-503': { happens: 'The discovery document, to which the link leads, is answered 503.', weather: [at('operation:oauth.discovery', 'answer/status', { status: 503 })], storm: ['link'] },
      'discovery-html': { happens: 'The discovery document is a page of HTML.', weather: [at('operation:oauth.discovery', 'content/html')], storm: ['link'] },
    },
  ),
];
