import { describe, expect, it, onTestFinished } from 'vitest';
import { RULES } from '../../src/rules/index.js';
import { type Gateway, type GatewayOptions, type Session, startGateway } from '../../src/testing/index.js';
import '../../src/testing/vitest.js';
import { callsOf } from './calls.js';

async function open(options?: GatewayOptions) {
  const gateway = await startGateway(options);
  onTestFinished(gateway.close);
  return { gateway, ...callsOf(gateway) };
}

/** A client that asks for an end of the consent that is no date. */
async function withFinding(options?: GatewayOptions): Promise<Gateway> {
  const { gateway, call } = await open(options);
  await call('consents', {
    headers: { 'tpp-redirect-uri': 'https://tpp.example/back', 'psu-ip-address': '192.0.2.1' },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: '2026-02-30',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  return gateway;
}

function failure(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the assertion held');
}

const ID = 'consents/valid-until-is-a-date';
const textsOf = (id: string) => RULES.find((rule) => rule.id === id) ?? { statement: '', fix: '' };
const { statement, fix } = textsOf(ID);

describe('toComply', () => {
  it('holds for a client without a finding', async () => {
    const { gateway, fetchToken, readAccounts } = await open();
    await readAccounts(await fetchToken());
    expect(gateway).toComply();
    expect(gateway.session()).toComply();
    expect(failure(() => expect(gateway).not.toComply())).toBe(
      'The TPP does comply: 2 calls without finding, but one was expected.',
    );
  });

  it('fails with the finding, its place, and what to do', async () => {
    const gateway = await withFinding();
    expect(failure(() => expect(gateway).toComply()).split('\n')).toEqual([
      'The TPP does not comply: 1 finding in 1 call.',
      '',
      `MUST ${ID}, the TPP’s`,
      `  ${statement}.`,
      expect.stringMatching(/^ {2}at body validUntil: expected .* date.*, found .*2026-02-30/),
      '     in POST /stdgroup/v1/consents → 400',
      `  Fix: ${fix}`,
    ]);
    expect(gateway).not.toComply();
  });

  it('puts the gravest rule first, and cuts what repeats', async () => {
    const { gateway, call } = await open({ stance: 'observe' });
    const same = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
    for (let i = 0; i < 5; i++)
      await call('accounts/ACCOUNT_ID/balances', { headers: { 'x-request-id': i < 4 ? 'no-uuid' : same } });
    const text = failure(() => expect(gateway).toComply());
    const heads = text.match(/^(?:MUST|SHOULD)/gm) ?? [];
    expect(heads.length).toBeGreaterThan(1);
    expect([...heads].sort()).toEqual(heads);
    expect(text).toContain('  … and 1 further time');
  });

  it('looks at notes, and at the bank, where asked to', async () => {
    const gateway = await withFinding({ rules: { [ID]: 'note' } });
    expect(gateway).toComply();
    expect(failure(() => expect(gateway).toComply({ from: 'note' }))).toContain(`NOTE ${ID}`);
    expect(gateway).toComply({ judges: 'aspsp' });
    expect(gateway).not.toComply({ from: 'note', judges: 'both' });
  });

  it('lets a waived finding pass', async () => {
    const waivers = [{ rule: ID, reason: 'mended in the next version', until: '2099-12-31' }];
    const gateway = await withFinding({ waivers });
    expect(gateway).toComply();
    expect(failure(() => expect(gateway).not.toHaveFinding(ID))).toContain(
      'waived: mended in the next version',
    );
  });
});

describe('toHaveFinding', () => {
  it('holds where the rule was violated', async () => {
    const gateway = await withFinding();
    expect(gateway).toHaveFinding(ID);
    const text = failure(() => expect(gateway).not.toHaveFinding(ID));
    expect(text).toContain(`${ID} should not be violated.`);
    expect(text).toContain('  at body validUntil: expected ');
    expect(text).toContain(`  Fix: ${fix}`);
  });

  it('tells what was found instead', async () => {
    const gateway = await withFinding();
    expect(failure(() => expect(gateway).toHaveFinding('consents/frequency-positive'))).toBe(
      [
        `consents/frequency-positive should be violated: ${textsOf('consents/frequency-positive').statement}.`,
        'It was complied with in 1 call.',
        `1 rule violated instead: ${ID}.`,
      ].join('\n'),
    );
  });

  it('tells that the rule had nothing to judge, or was off', async () => {
    const gateway = await withFinding({ rules: { 'requests/request-id-is-uuid': 'off' } });
    expect(failure(() => expect(gateway).toHaveFinding('payments/iban-valid'))).toContain(
      'The rule applied to no call (it is about payments.create).',
    );
    expect(failure(() => expect(gateway).toHaveFinding('requests/request-id-is-uuid'))).toContain(
      'The rule is off in this gateway',
    );
  });

  it('names the nearest rule to an unknown one, whichever way it is asked', async () => {
    const gateway = await withFinding();
    const words = `There is no rule consents/valid-until-is-date. Did you mean ${ID}?`;
    expect(failure(() => expect(gateway).toHaveFinding('consents/valid-until-is-date'))).toBe(words);
    expect(failure(() => expect(gateway).not.toHaveFinding('consents/valid-until-is-date'))).toBe(words);
  });
});

describe('toFollow', () => {
  it('holds where the operations succeeded in that order, others between them', async () => {
    const { gateway, fetchToken, readAccounts } = await open();
    const token = await fetchToken();
    for (const path of ['accounts', 'accounts/ACCOUNT_ID/balances', 'accounts/ACCOUNT_ID'])
      await readAccounts(token, { path });
    expect(gateway).toFollow(['oauth.token', 'accounts.list', 'accounts.read']);
    expect(gateway).not.toFollow(['accounts.read', 'oauth.token']);
    expect(failure(() => expect(gateway).not.toFollow(['oauth.token']))).toContain(
      'The calls should not follow oauth.token, but did.',
    );
  });

  it('shows how far they came', async () => {
    const { gateway, fetchToken, readAccounts } = await open();
    await readAccounts(await fetchToken());
    const way = () => expect(gateway).toFollow(['accounts.list', 'oauth.token']);
    expect(failure(way)).toBe(
      [
        'Step 2 of 2 is missing: no successful oauth.token after accounts.list. It was called before, in another order.',
        '',
        'What was called (› marks the steps that were found):',
        '  oauth.token  POST /stdgroup/v1/token → 200',
        '› accounts.list  GET /stdgroup/v1/accounts → 200',
      ].join('\n'),
    );
    expect(failure(() => expect(gateway).toFollow(['consents.create']))).toContain(
      'Step 1 of 1 is missing: no successful consents.create.\n',
    );
  });

  it('takes a refused call for no step, and tells why it was refused', async () => {
    const gateway = await withFinding();
    expect(failure(() => expect(gateway).toFollow(['consents.create']))).toContain(
      `no successful consents.create. It was called, and answered with 400 (${ID}).`,
    );
  });

  it('names the nearest operation to an unknown one, and asks for one at least', async () => {
    const gateway = await withFinding();
    expect(failure(() => expect(gateway).toFollow(['consent.create' as 'consents.create']))).toBe(
      'There is no operation consent.create. Did you mean consents.create?',
    );
    expect(failure(() => expect(gateway).not.toFollow([]))).toContain('takes a list of operations');
  });
});

describe('toStayWithinDailyLimit', () => {
  it('holds for four accesses a day without the PSU, and for any number with the PSU', async () => {
    const { gateway, fetchToken, readAccounts } = await open();
    const token = await fetchToken();
    for (let i = 0; i < 4; i++) await readAccounts(token, { attended: false });
    for (let i = 0; i < 4; i++) await readAccounts(token);
    expect(gateway).toStayWithinDailyLimit();
    expect(failure(() => expect(gateway).not.toStayWithinDailyLimit())).toBe(
      'The daily limit should be exceeded, but all 4 counted accesses kept within it.',
    );
  });

  it.each(['enforce', 'observe'] as const)('fails with the access too many (%s)', async (stance) => {
    const { gateway, fetchToken, readAccounts } = await open({ stance });
    const token = await fetchToken();
    for (let i = 0; i < 6; i++) await readAccounts(token, { attended: false });
    const text = failure(() => expect(gateway).toStayWithinDailyLimit());
    expect(text).toContain('2 of 6 counted accesses went over the daily limit.');
    expect(text).toMatch(
      / {2}at header PSU-IP-Address: expected at most four reads a day without it, the next at 00:00 on \d+ \w+ \(Europe\/Brussels\), found the fifth read of GET \/accounts under consent \S+ on /,
    );
    expect(text).toContain('     in GET /stdgroup/v1/accounts → 429');
    expect(text).toContain(`  Fix: ${textsOf('accounts/within-daily-limit').fix}`);
    expect(gateway).not.toStayWithinDailyLimit();
  });

  it('does not hold by the rule being off', async () => {
    const { gateway, fetchToken } = await open({ rules: { 'accounts/within-daily-limit': 'off' } });
    await fetchToken();
    const words = 'cannot tell: the rule accounts/within-daily-limit is off';
    expect(failure(() => expect(gateway).toStayWithinDailyLimit())).toContain(words);
    expect(failure(() => expect(gateway).not.toStayWithinDailyLimit())).toContain(words);
  });
});

describe('toHaveUsedWholeRecording', () => {
  const call = { method: 'GET', path: '/stdgroup/v1/accounts' };
  const replayed = async (replay: Partial<NonNullable<Session['replay']>>): Promise<Session> => ({
    ...(await withFinding()).session(),
    replay: {
      recording: 'a.json',
      daysShifted: 0,
      used: [],
      unused: [],
      undecided: [],
      missed: [],
      ...replay,
    },
  });
  const exchange = { ...call, operation: 'accounts.list', status: 200 };

  it('holds where every exchange was used, and nothing was missed', async () => {
    const session = await replayed({ used: [exchange, exchange] });
    expect(session).toHaveUsedWholeRecording();
    expect(failure(() => expect(session).not.toHaveUsedWholeRecording())).toBe(
      'a.json should not be used completely, but was: 2 exchanges, no miss.',
    );
  });

  it('fails with what was not asked for', async () => {
    const session = await replayed({
      used: [exchange],
      unused: [exchange, { ...exchange, operation: null }],
    });
    expect(failure(() => expect(session).toHaveUsedWholeRecording())).toBe(
      [
        '2 of 3 exchanges of a.json were not asked for:',
        '  accounts.list  GET /stdgroup/v1/accounts → 200',
        '  unknown  GET /stdgroup/v1/accounts → 200',
        'Fix: make these calls, or record again (mode all) if the client no longer needs them.',
      ].join('\n'),
    );
  });

  it('fails with the misses and their reasons, those apart that the next source answered', async () => {
    const miss = { ...call, exchange: '01', text: 'The recording has no such call.', handedOn: false };
    const session = await replayed({ used: [exchange], missed: [miss] });
    expect(failure(() => expect(session).toHaveUsedWholeRecording())).toBe(
      [
        '1 call had no answer in a.json:',
        '  GET /stdgroup/v1/accounts: The recording has no such call.',
        'Fix: make the call as it was recorded, or record what is missing (mode new or all).',
      ].join('\n'),
    );
    expect(await replayed({ missed: [{ ...miss, handedOn: true }] })).toHaveUsedWholeRecording();
  });

  it('names the clients that nothing told apart where something is missing', async () => {
    const undecided = ['These 2 recordings differ in nothing.'];
    const session = await replayed({ used: [exchange], unused: [exchange], undecided });
    expect(failure(() => expect(session).toHaveUsedWholeRecording())).toContain(`\n${undecided[0]}`);
    expect(await replayed({ used: [exchange], undecided })).toHaveUsedWholeRecording();
  });

  it('cannot be asked of a gateway that replays nothing', async () => {
    const gateway = await withFinding();
    const words = 'this gateway replays nothing: use replaySession()';
    expect(failure(() => expect(gateway).toHaveUsedWholeRecording())).toContain(words);
    expect(failure(() => expect(gateway).not.toHaveUsedWholeRecording())).toContain(words);
  });
});

describe('every matcher', () => {
  const MATCHERS: readonly [name: string, assert: (received: unknown) => void][] = [
    ['toComply', (received) => expect(received).toComply()],
    ['toHaveFinding', (received) => expect(received).toHaveFinding(ID)],
    ['toFollow', (received) => expect(received).toFollow(['oauth.token'])],
    ['toStayWithinDailyLimit', (received) => expect(received).toStayWithinDailyLimit()],
    ['toHaveUsedWholeRecording', (received) => expect(received).toHaveUsedWholeRecording()],
    ['not.toHaveFinding', (received) => expect(received).not.toHaveFinding(ID)],
    ['not.toComply', (received) => expect(received).not.toComply()],
  ];

  it.each(MATCHERS)('%s fails where no call was made, because it would always hold', async (name, assert) => {
    const { gateway } = await open();
    expect(failure(() => assert(gateway))).toBe(
      `${name.replace('not.', '')}() has nothing to look at: no call has reached the gateway. Was the client given gateway.urls?`,
    );
  });

  it.each(MATCHERS)('%s says what it is for', (name, assert) => {
    const words = `${name.replace('not.', '')}() looks at a gateway of sandgate/testing, or at its session(), not at `;
    for (const [value, is] of [
      [null, 'null'],
      [undefined, 'a value of type undefined'],
      [[], 'an array'],
      [{}, 'a value of type object'],
      [{ exchanges: 1, findings: [] }, 'a value of type object'],
      [Promise.resolve(), 'a promise (await it first)'],
    ] as const)
      expect(failure(() => assert(value))).toBe(`${words}${is}.`);
  });
});
