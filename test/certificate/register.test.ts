import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTrust, openRegister } from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { aQwac, DAY, factsOf, ROOT } from './made.js';

const day = (offset: number): string => new Date(NOW + offset * DAY).toISOString().slice(0, 10);

/** An entity as the download writes it: one value alone, or several in a list. */
const entity = (
  parts: {
    owner?: string;
    number?: string;
    dates?: readonly string[];
    name?: unknown;
    services?: unknown;
  } = {},
) => ({
  CA_OwnerID: parts.owner ?? 'BE_NBB',
  EntityCode: 'BE_NBB!1',
  EntityType: 'PSD_PI',
  Properties: [
    { ENT_NAT_REF_COD: parts.number ?? '0123.456.789' },
    { ENT_NAM: parts.name ?? 'Test "TPP" {1}' },
    { ENT_AUT: parts.dates ?? [day(-900)] },
  ],
  Services: parts.services ?? [{ BE: ['PS_070', 'PS_080'] }, { DE: 'PS_080' }],
  __EBA_EntityVersion: '1',
});
const agent = { CA_OwnerID: 'BE_NBB', EntityType: 'PSD_AG', Properties: [{ ENT_NAT_REF_COD: '0123456789' }] };
const fileOf = (...entities: readonly unknown[]) =>
  Buffer.from(JSON.stringify([[{ Disclaimer: 'No "legal" } significance \\' }], entities]));
const words = (...entities: readonly unknown[]) =>
  factsOf(
    aQwac(),
    createTrust({ anchors: [ROOT.pem], register: openRegister(fileOf(...entities), 'register.json') }),
  ).register;

describe('the register says of a TPP', () => {
  it('that it is authorised, since when, and for which role in which country', () => {
    expect(words(agent, entity())).toMatch(
      new RegExp(
        `^Test "TPP" \\{1\\}: authorised since ${day(-900)}, PSP_AI in BE DE, PSP_PI in BE, by the EBA register \\([0-9a-f]{12}\\)$`,
      ),
    );
  });

  it.each([
    ['withdrawn', [day(-900), day(-3)], `withdrawn since ${day(-3)}`],
    ['withdrawn tomorrow alone', [day(-900), day(1)], `authorised since ${day(-900)}`],
    ['authorised again', [day(-900), day(-30), day(-3)], `authorised since ${day(-3)}`],
    ['authorised tomorrow', [day(1)], 'not authorised yet'],
  ])('that it is %s', (_, dates, expected) => {
    expect(words(entity({ dates }))).toContain(`: ${expected}, PSP_AI`);
  });

  it.each(['0123 456 789', '0123-456-789', ' 0123.456.789 '])(
    'by its number, however it is written: %s',
    (number) => {
      expect(words(entity({ number }))).toContain('authorised since');
    },
  );

  it('countries by their codes, and nothing else that stands in their place', () => {
    const services = [{ BE: 'PS_080' }, { '\u001b[31mDE': 'PS_080' }, { be: 'PS_080' }, { BE: 'PS_080' }];
    expect(words(entity({ services }))).toContain('PSP_AI in BE, PSP_PI nowhere');
  });

  it('that it has no such service, and a name in Latin letters where there are two', () => {
    expect(words(entity({ services: [{ BE: 'PS_03A' }], name: ['Тест', 'Test'] }))).toContain(
      'Test: authorised',
    );
    expect(words(entity({ services: [{ BE: 'PS_03A' }] }))).toContain('PSP_AI nowhere, PSP_PI nowhere');
  });

  it.each([
    ['another number', entity({ number: '9' })],
    ['another authority', entity({ owner: 'DE_BAFIN' })],
  ])('that it does not have it, for %s', (_, other) => {
    expect(words(other)).toMatch(/^not found in the EBA register \([0-9a-f]{12}\), which has no banks$/);
  });
});

describe('a file that is no register', () => {
  it.each([
    ['empty', ''],
    ['other JSON', '{"a":1}'],
    ['of agents alone', fileOf(agent).toString()],
    ['with an entity that is broken', fileOf({ ENT_AUT: 1 }).toString()],
    ['cut short', fileOf(entity()).toString().slice(0, -40)],
  ])('is refused: %s', (_, text) => {
    expect(() => openRegister(Buffer.from(text), 'register.json')).toThrow(
      'register.json is not the register of the EBA',
    );
  });

  it('is refused or read, whatever its bytes are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '"', '\\', '[', ']', '"ENT_AUT"', ':', '1'), { maxLength: 40 }),
        (parts) => {
          try {
            openRegister(Buffer.from(parts.join('')), 'x');
          } catch (error) {
            expect(error).toMatchObject({ code: 'register.unreadable' });
          }
        },
      ),
    );
  });
});
