/** Cells of tokens: what gives them fails, they end early, and what replaces them is lost. */
import { at, type Cell, cells } from './cell.js';

const TOKEN = 'operation:oauth.token';

// biome-ignore format: one cell per line
export const TOKEN_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'token',
      seen: 'token endpoints behind another team’s load balancer: they fail when the rest of the bank works',
      sound: 'It tells the PSU that linking did not work and lets it begin anew; a code is never used twice.',
      after: ['link', 'sync'],
    },
    {
      'code-500': { happens: 'The exchange of the code is answered 500.', weather: [at(TOKEN, 'answer/status', { status: 500 })], storm: ['link'] },
      'code-503-html': { happens: 'The exchange of the code is answered 503 with a page of HTML.', weather: [at(TOKEN, 'answer/status', { status: 503, form: 'html' })], storm: ['link'] },
      'code-lost': { happens: 'The code is exchanged, and the answer with the tokens is lost.', weather: [at(TOKEN, 'done/lost')], storm: ['link'] },
      'code-hangs': { happens: 'The exchange of the code is never answered.', weather: [at(TOKEN, 'transport/hang')], storm: ['link'] },
      'code-html': { happens: 'The exchange of the code is answered 200 with a page of HTML.', weather: [at(TOKEN, 'content/html')], storm: ['link'] },
      'code-no-token': { happens: 'The answer to the code has no access token.', weather: [at(TOKEN, 'content/member', { member: 'access_token', to: 'absent' })], storm: ['link'] },
    },
  ),
  ...cells(
    {
      family: 'token',
      seen: 'TPPs that took expires_in for a promise: tokens ended earlier after a change at the bank',
      sound: 'It refreshes when the bank says so (401), once, and then goes on where it was.',
      calm: ['link'],
      after: ['clock 1d', 'sync'],
      must: true,
    },
    {
      'expires-early': { happens: 'The access token ends long before its expires_in.', weather: [at(TOKEN, 'token/expires-early')], storm: ['clock 2h', 'sync', 'sync'] },
      'next-day': { happens: 'The access token has ended over night.', storm: ['clock 1d', 'sync'] },
      'no-expires-in': { happens: 'The answer to a refresh does not say how long the token is valid.', weather: [at(TOKEN, 'content/member', { member: 'expires_in', to: 'absent' })], storm: ['clock 1d', 'sync', 'sync'] },
      'no-new-refresh-token': { happens: 'The answer to a refresh has no new refresh token: the old one goes on.', weather: [at(TOKEN, 'content/member', { member: 'refresh_token', to: 'absent' })], storm: ['clock 1d', 'sync', 'clock 1d', 'sync'] },
      'refresh-once': { happens: 'Each refresh ends the refresh token that was used.', weather: [at(TOKEN, 'token/refresh-once')], storm: ['clock 1d', 'sync', 'clock 1d', 'sync'] },
    },
  ),
  ...cells(
    {
      family: 'token',
      seen: 'an interface where the refresh token rotates: a lost answer locked the customers of a TPP out for good',
      sound:
        'It takes a refresh that failed for undecided, tries the token that it has once more later, and asks the PSU to link again only when that is refused.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
    },
    {
      'refresh-500': { happens: 'The refresh is answered 500.', weather: [at(TOKEN, 'answer/status', { status: 500 })], after: ['sync'] },
      'refresh-lost-after-rotation': { happens: 'The refresh token is rotated, the answer is a 5xx, and nobody got the new one.', weather: [at(TOKEN, 'token/5xx-after-rotation')], after: ['link', 'sync'] },
      'refresh-lost': { happens: 'The refresh is done, and its answer is lost.', weather: [at(TOKEN, 'done/lost')], after: ['sync'] },
    },
  ),
  ...cells(
    {
      family: 'token',
      seen: 'an authorisation server that gave the scope of a sign-in in place of that of the consent',
      sound:
        'It notices that the access is narrower than what was asked for, and asks the PSU to link again.',
    },
    {
      'scope-narrowed': { happens: 'The token is for less than was asked for.', weather: [at(TOKEN, 'token/scope-narrowed')], storm: ['link'], after: ['link', 'sync'] },
    },
  ),
];
