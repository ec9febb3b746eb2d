/** Cells of the PSU's return from the bank: how it comes back, twice, late, with too little, or never. */
import { at, type Cell, cells } from './cell.js';

const GROUP = {
  family: 'return',
  where: 'operation:oauth.authorize',
} as const;

// biome-ignore format: one cell per line
export const RETURN_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'return',
      seen: 'a bank that dropped state after a redesign of its login, and TPPs whose check of state was switched off for it',
      sound:
        'It takes a return only with the state that it gave to this browser; any other it refuses in words, and exchanges no code for it.',
      after: ['link', 'sync'],
    },
    {
      'link-no-state': { happens: 'The PSU comes back from linking without state.', weather: [at(GROUP.where, 'return/no-state')], storm: ['link'] },
      'link-other-state': { happens: 'The PSU comes back from linking with the state of somebody else.', weather: [at(GROUP.where, 'return/other-state')], storm: ['link'] },
      'pay-no-state': { happens: 'The PSU comes back from paying without state.', calm: ['link'], weather: [at(GROUP.where, 'return/no-state')], storm: ['pay'], after: ['clock 1d', 'sync', 'pay'] },
      'pay-other-state': { happens: 'The PSU comes back from paying with the state of somebody else.', calm: ['link'], weather: [at(GROUP.where, 'return/other-state')], storm: ['pay'], after: ['clock 1d', 'sync', 'pay'] },
    },
  ),
  ...cells(
    {
      family: 'return',
      seen: 'banks that send a cancelling PSU back with state alone, without error and without code',
      sound: 'It takes a return without a code for a no, and tells the PSU so.',
    },
    {
      'link-no-error': { happens: 'The PSU cancels linking and comes back with neither code nor error.', weather: [at(GROUP.where, 'return/no-error')], storm: ['link SCA_CANCEL'], after: ['link', 'sync'] },
      'pay-no-error': { happens: 'The PSU cancels paying and comes back with neither code nor error.', calm: ['link'], weather: [at(GROUP.where, 'return/no-error')], storm: ['pay SCA_CANCEL'], after: ['pay'] },
    },
  ),
  ...cells(
    {
      family: 'return',
      seen: 'every app-to-app redirect: about one PSU in twenty authorises and never comes back to the browser',
      sound:
        'It keeps what it began, asks the bank for its status later, and does not take silence for a yes or a no.',
      away: true,
    },
    {
      'link-never': { happens: 'The PSU gives the consent and never comes back.', weather: [at(GROUP.where, 'return/never')], storm: ['link'], after: ['link', 'sync'] },
      'pay-never': { happens: 'The PSU authorises the payment and never comes back.', calm: ['link'], weather: [at(GROUP.where, 'return/never')], storm: ['pay'], after: ['clock 1d', 'sync'] },
      'link-left': { happens: 'The PSU closes the browser at the first page of the bank.', storm: ['link and leave'], after: ['link', 'sync'] },
      'pay-left': { happens: 'The PSU closes the browser before it authorises the payment.', calm: ['link'], storm: ['pay and leave'], after: ['clock 1d', 'sync', 'pay'] },
    },
  ),
  ...cells(
    {
      family: 'return',
      seen: 'browsers that load an address again after a crash, and previews that open it before the PSU does',
      sound: 'A return that comes twice does nothing the second time, and the PSU sees that all is well.',
    },
    {
      'link-twice': { happens: 'The PSU comes back from linking twice with one code.', weather: [at(GROUP.where, 'return/twice')], storm: ['link'], after: ['clock 1d', 'sync'] },
      'pay-twice': { happens: 'The PSU comes back from paying twice with one code.', calm: ['link'], weather: [at(GROUP.where, 'return/twice')], storm: ['pay'], after: ['clock 1d', 'sync'] },
    },
  ),
  ...cells(
    {
      family: 'return',
      seen: 'a phone that waits in a pocket: the redirect is followed when the code has ended',
      sound:
        'It tells the PSU that the time is over and lets it begin anew; it does not try the code again and again.',
    },
    {
      'link-late': { happens: 'The PSU comes back from linking when the code has ended.', weather: [at(GROUP.where, 'return/late')], storm: ['link'], after: ['link', 'sync'] },
      'pay-late': { happens: 'The PSU comes back from paying when the code has ended.', calm: ['link'], weather: [at(GROUP.where, 'return/late')], storm: ['pay'], after: ['clock 1d', 'sync'] },
    },
  ),
];
