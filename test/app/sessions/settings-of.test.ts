/** All settings that verdicts depend on are noted in a session, and so are in its chain. */
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/index.js';
import { chooseSettings } from '../../../src/app/report/periods.js';
import { settingsOf } from '../../../src/app/sessions/session-notes.js';

const FLAGS = {
  profile: 'production',
  rules: 'accounts/token-present=off',
  dailyWindow: 'rolling',
  dailyTimeZone: 'Europe/Paris',
  segment: 'other',
  blockedOrganisations: 'PSDBE-NBB-1',
  notificationAllow: 'tpp.example',
};

it('every setting that a rule asks for is noted, and judged by again', () => {
  const { config } = loadConfig({ flags: FLAGS });
  const settings = JSON.parse(JSON.stringify(settingsOf(config)));
  const later = loadConfig({});
  const chosen = chooseSettings(later, [settings]);
  expect(chosen.differs).toBe(false);
  for (const key of Object.keys(FLAGS)) expect(chosen.settings[0]).toHaveProperty(key, config[key as never]);
});
