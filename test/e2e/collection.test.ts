import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { OPERATION_IDS } from '../../src/spec/index.js';
import { started } from './harness.js';

it('newman runs the collection: each operation of the sandbox bank is called once, and succeeds', async () => {
  const gateway = await started({ notificationAllow: ['127.0.0.1'] });
  const { urls, certs, records } = gateway;
  const tpp = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(tpp, 'listening');
  onTestFinished(() => void tpp.close());
  await promisify(execFile)(process.execPath, [
    ...['node_modules/newman/bin/newman.js', 'run', 'docs/sandgate.postman_collection.json'],
    ...['--env-var', `baseUrl=${urls.api}`, '--env-var', `psuUrl=${urls.psu}`],
    ...['--env-var', `notificationUri=http://127.0.0.1:${(tpp.address() as AddressInfo).port}/`],
    ...['--ssl-client-cert', join(certs, 'tpp.pem'), '--ssl-client-key', join(certs, 'tpp.key')],
    ...['--ssl-extra-ca-certs', join(certs, 'ca.pem')],
  ]).catch(({ stdout }) => expect.fail(stdout));
  const called = (await records()).flatMap(({ exchange: { call } }) =>
    call.direction === 'to-tpp' ? [] : [call.operation],
  );
  expect(called.sort()).toEqual([...OPERATION_IDS].sort());
});
