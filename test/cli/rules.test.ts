/** `sandgate rules`: the catalogue as table, JSON and Markdown, and one rule. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/rules/index.js';
import { folderOfFile } from '../folder.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();

function configOf(settings: object): string {
  const file = join(folder, `${Object.keys(settings).join('-')}.json`);
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

describe('the catalogue', () => {
  it('is a table of every rule with its severities, its refusal and what it says', async () => {
    const { status, out } = await sandgate(['rules']);
    expect(status).toBe(0);
    for (const { id, statement } of RULES) {
      const line = out.split('\n').find((one) => one.startsWith(`${id} `));
      expect(line).toContain(statement);
    }
    expect(out).toMatch(
      /^payments\/iban-valid +tpp +should +must +400 FORMAT_ERROR +IBANs in a payment pass/m,
    );
    expect(out).toContain(`${RULES.length} rules`);
  });

  it.each([[['rules']], [['serve', '--help']]])(
    '%j is not cut on a terminal that does not know its width',
    async (args) => {
      expect(await sandgate(args, { columns: 0 })).toEqual(await sandgate(args));
    },
  );

  it('is one of a family where that is asked for', async () => {
    for (const family of ['funds', 'funds/', 'funds/*']) {
      const { out } = await sandgate(['rules', family, '--json']);
      expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(
        RULES.map(({ id }) => id).filter((id) => id.startsWith('funds/')),
      );
    }
  });

  it('has the severities of one profile where that is asked for', async () => {
    const { out } = await sandgate(['rules', 'payments', '--profile', 'production']);
    expect(out).toMatch(/^RULE +JUDGES +PRODUCTION +REFUSAL/);
    expect(out).toMatch(/^payments\/iban-valid +tpp +must /m);
  });

  it('is JSON with everything that is known of a rule', async () => {
    const { out } = await sandgate(['rules', '--format', 'json']);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(RULES.length);
    expect(rows.find(({ id }: { id: string }) => id === 'oauth/token-client-id')).toMatchObject({
      judges: 'tpp',
      severity: { sandbox: 'must', production: 'must' },
      refusal: 'invalid_client',
      clauses: [{ id: 'authorize.client_id', text: expect.stringContaining('VALID_CLIENT_ID') }, {}],
      sources: [{ tag: 'RFC8705', place: '2.1', url: 'https://www.rfc-editor.org/rfc/rfc8705' }],
    });
  });

  it('is a Markdown table whose cells hold no bar of their own', async () => {
    const { out } = await sandgate(['rules', '--format', 'markdown']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(RULES.length + 2);
    for (const line of lines) expect(line.replaceAll('\\|', '').split('|')).toHaveLength(8);
  });

  it('marks what is configured, and tells what is waived', async () => {
    const waivers = [{ rule: 'funds/iban-valid', reason: 'old test data', until: '2999-01-31' }];
    const config = configOf({
      rules: { 'funds/iban-valid': 'note', 'funds/body-well-formed': 'off' },
      waivers,
    });
    const { out } = await sandgate(['rules', 'funds', '--config', config]);
    expect(out).toMatch(/^funds\/iban-valid +tpp +note\* +note\* /m);
    expect(out).toMatch(/^funds\/body-well-formed +tpp +-\* +-\* /m);
    expect(out).toContain('* as configured');
    expect(out).toContain('funds/iban-valid is waived until 2999-01-31: old test data');
  });
});

describe('one rule', () => {
  it('is told with what it asks, why, what to do, examples, and the text that it stands on', async () => {
    const { status, out } = await sandgate(['rules', 'oauth/verifier-well-formed']);
    expect(status).toBe(0);
    for (const text of [
      'code_verifier has 43 to 128 unreserved characters.',
      'should under sandbox, must under production',
      'Refused     invalid_grant',
      'To do       Make 32 random bytes and encode them as base64url: 43 characters.',
      'Violates    code_verifier=0f8fad5b-d9cb-469f-a165-70867728950e',
      'section 4.1, https://www.rfc-editor.org/rfc/rfc7636',
    ])
      expect(out).toContain(text);
  });

  it('is one object of JSON, and one section of Markdown', async () => {
    const json = await sandgate(['rules', 'consents/access-value', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ id: 'consents/access-value', configured: false });
    const markdown = await sandgate(['rules', 'consents/access-value', '--format', 'markdown']);
    expect(markdown.out).toContain('#### consents/access-value\n');
    expect(markdown.out).toContain('- What to do: Send allAccounts in this spelling; ');
  });

  it('tells the severity that is configured', async () => {
    const config = configOf({ rules: { 'oauth/state-fresh': 'must' } });
    const { out } = await sandgate([
      'rules',
      'oauth/state-fresh',
      '--config',
      config,
      '--profile',
      'sandbox',
    ]);
    expect(out).toContain('must under sandbox (as configured)');
  });
});

describe('a mistake', () => {
  it.each([
    [['rules', 'oauth/state-frsh'], 'There is no rule oauth/state-frsh. Did you mean oauth/state-fresh?'],
    [['rules', 'nothing'], 'There is no rule nothing: sandgate rules lists them all.'],
    [['rules', '--profile', 'test'], "'test' is invalid"],
    [['rules', '--format', 'xml'], "'xml' is invalid"],
    [
      ['rules', '--config', '/no/such/file'],
      '/no/such/file cannot be read: there is no such file; check its path',
    ],
  ])('%j is told in a sentence and ends with 2', async (args, text) => {
    const { status, err } = await sandgate(args);
    expect([status, err.includes(text)]).toEqual([2, true]);
  });

  it('in the configured severities or waivers is told as well', async () => {
    const severity = await sandgate(['rules', '--config', configOf({ rules: { 'oauth/stat': 'must' } })]);
    expect([severity.status, severity.err]).toEqual([
      2,
      expect.stringContaining('There is no rule oauth/stat'),
    ]);
    const waivers = [{ rule: 'funds/iban-valid', reason: 'old', until: '2020-01-31' }];
    const ended = await sandgate(['rules', '--config', configOf({ waivers })]);
    expect([ended.status, ended.err]).toEqual([2, expect.stringContaining('ended on 2020-01-31')]);
  });
});
