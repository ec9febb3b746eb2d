import { expect, it } from 'vitest';
import { urlOf } from '../../../src/app/gateway/addresses.js';

it.each([
  ['127.0.0.1', 'https://localhost:1'],
  ['::1', 'https://localhost:1'],
  ['0.0.0.0', 'https://localhost:1'],
  ['::', 'https://localhost:1'],
  ['192.0.2.1', 'https://192.0.2.1:1'],
  ['2001:db8::1', 'https://[2001:db8::1]:1'],
  ['bank.example', 'https://bank.example:1'],
])('a listener on %s is reached at %s', (host, url) => {
  expect(urlOf('https', { host, port: 1 }, 1)).toBe(url);
});
