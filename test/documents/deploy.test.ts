/** Files of deploy/ that no machine of the tests can start: what they say of Sandgate is so. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { CONFIG_OPTIONS, loadConfig } from '../../src/app/config/index.js';

const inProject = (path: string) => new URL(`../../${path}`, import.meta.url);
const deployed = (name: string) => readFileSync(inProject(`deploy/${name}`), 'utf8');
/** Longer than calls under way may take. */
const STOP_MS = loadConfig({}).config.limits.stop;

describe('files of deploy/', () => {
  it.each(readdirSync(inProject('deploy')))('%s sets variables that there are', (name) => {
    const variables = new Set(CONFIG_OPTIONS.map(({ variable }) => variable));
    expect((deployed(name).match(/SANDGATE_[A-Z_]+/g) ?? []).filter((one) => !variables.has(one))).toEqual(
      [],
    );
  });

  it('the unit starts the program, lets it end, and gives it nothing but its state', () => {
    const unit = new Map(
      [...deployed('sandgate.service').matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key, value]) => [
        key,
        value,
      ]),
    );
    const installed = '/usr/lib/node_modules/sandgate/';
    expect(unit.get('ExecStart')).toBe(
      `/usr/bin/node ${installed}${packageJson.bin.sandgate.replace('./', '')} serve`,
    );
    const document = unit.get('Documentation')?.replace(`file:${installed}`, '') ?? '';
    expect(existsSync(inProject(document)), document).toBe(true);
    expect(Number(unit.get('TimeoutStopSec')) * 1_000).toBeGreaterThan(STOP_MS);
    const held = {
      ...{ DynamicUser: 'yes', ProtectSystem: 'strict', ProtectHome: 'yes', NoNewPrivileges: 'yes' },
      ...{ CapabilityBoundingSet: '', UMask: '0077', StateDirectoryMode: '0700', Restart: 'on-failure' },
    };
    expect(Object.fromEntries(unit)).toMatchObject(held);
  });

  it('containers have the time to end, too', () => {
    const [, seconds] = /^ {4}stop_grace_period: (\d+)s$/m.exec(deployed('compose.yaml')) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(STOP_MS);
  });

  it('the image is built of files that there are, and shows what it holds', () => {
    const copied = [...deployed('Containerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, files = '']) => files.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((file) => !existsSync(inProject(file)))).toEqual([]);
  });
});
