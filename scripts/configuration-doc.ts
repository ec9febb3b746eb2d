/** Renders docs/configuration.md from the schema of the settings. */
import { CONFIG_OPTIONS, type ConfigOption, hasFlag } from '../src/app/index.js';
import { code, page, table } from './docs.js';

const INTRODUCTION = `You can give each setting of \`sandgate serve\` in four ways. The first that is present counts:

1. a flag, as in \`--listen 127.0.0.1:9443\`;
2. an environment variable, as in \`SANDGATE_LISTEN=127.0.0.1:9443\`;
3. the file \`sandgate.config.json\` of the current directory (or another one, given with \`--config FILE\` or \`SANDGATE_CONFIG\`);
4. the default.

\`sandgate serve --print-config\` prints the settings in force and where each comes from. An unknown setting is an error.
Relative paths start at the current directory.

| kind of value | written as |
|---|---|
| duration | a number with its unit: \`500ms\`, \`10s\`, \`5m\`, \`2h\`, \`1d\`, \`1w\`; without a unit it is an error |
| size | \`16KiB\`, \`1MiB\`, \`1GiB\`, or bytes: \`65536\` |
| switch | the flag alone, as \`--psu-http\` or \`--no-rewrite\`; in a variable \`true\` or \`false\`, also \`1\`, \`yes\`, \`on\` or \`0\`, \`no\`, \`off\`; in the file \`true\` or \`false\` |
| list | commas between the items, or an array in the file |`;

const EXAMPLE = `\`\`\`json
{
  "stance": "observe",
  "profile": "production",
  "rules": { "payments/iban-valid": "note" },
  "waivers": [
    { "rule": "oauth/state-unguessable", "reason": "fixed with release 4", "until": "2027-01-31" }
  ],
  "limits": { "body": "256KiB", "requestTime": "10s" }
}
\`\`\`

In front of a bank, for several TPPs. The bank does not offer funds confirmation, so the emulator answers it:

\`\`\`json
{
  "upstream": "https://api.bank.example/sandbox",
  "upstreamCert": "qwac.pem",
  "upstreamKey": "qwac.key",
  "upstreamCertificates": {
    "PSDBE-NBB-0123456789": { "cert": "shop.pem", "key": "shop.key" },
    "PSDFR-ACPR-12345": { "cert": "loans.p12", "passphraseFile": "loans.passphrase" }
  },
  "sources": { "funds-confirmations.*": "emulator" }
}
\`\`\`

[endpoints.md](endpoints.md) lists the names of operations. An example of \`matching\` is in
[replay.md](replay.md#what-is-the-same-call).`;

export function configurationDoc(): string {
  return page('Configuration', INTRODUCTION, '## Settings', settings(), '## A file', EXAMPLE);
}

function settings(): string {
  const groups = new Set(CONFIG_OPTIONS.map(({ group }) => group));
  return [...groups].map((group) => `### ${group}\n\n${settingsOf(group)}`).join('\n\n');
}

function settingsOf(group: string): string {
  return table(
    ['Setting', 'Flag', 'Variable', 'Default', 'What it does'],
    CONFIG_OPTIONS.filter((option) => option.group === group).map((option) => [
      code(option.key),
      hasFlag(option) ? code(flagOf(option)) : '',
      option.fileOnly === true ? '' : code(option.variable),
      option.fallback === undefined ? '' : code(String(option.fallback)),
      option.description,
    ]),
  );
}

function flagOf(option: ConfigOption): string {
  if (!option.isSwitch) return `${option.flag} ${option.placeholder ?? 'VALUE'}`;
  return option.fallback === true ? option.flag.replace('--', '--no-') : option.flag;
}
