/** Renders docs/errors.md: every fault that a user is told, with what to do. */
import { EXIT_STATUS, FAULTS, type FaultRow } from '../src/spec/index.js';
import { code, page, table } from './docs.js';

/** By the part of a code before its dot: where it is met. */
type Area = keyof typeof FAULTS extends infer Code
  ? Code extends `${infer A}.${string}`
    ? A
    : never
  : never;
const AREAS: Readonly<Record<Area, string>> = {
  file: 'Files that are named',
  run: 'A command that is stopped',
  reload: 'Reading everything again',
  config: 'Settings, at the start of a command or of the gateway',
  profile: 'Bank profiles',
  openapi: 'sandgate bank-profile from-openapi',
  switch: 'Settings that are changed while the gateway runs',
  listener: 'The addresses of the gateway',
  rule: 'Names of rules',
  'own-rules': 'Files of own rules',
  waiver: 'Waivers',
  weather: 'Faults that are injected',
  certificate: 'Certificates in files',
  'trust-list': 'Snapshots of the trusted lists, sandgate trust',
  register: 'The register of payment institutions',
  key: 'Keys for signatures',
  checkpoints: 'Checkpoints that were kept outside the store',
  certs: 'The folder of certificates, sandgate certs',
  issue: 'sandgate certs issue',
  upstream: 'The certificate for the bank',
  recording: 'Recordings in files',
  session: 'Sessions of the store',
  exchange: 'Exchanges of the store',
  filter: 'Filters',
  store: 'The file of the store',
  erase: 'sandgate erase',
  record: 'What was changed in the store',
  report: 'sandgate report',
  seal: 'The seal of a dossier, sandgate report --seal',
  verify: 'sandgate verify',
  compare: 'sandgate compare',
  bundle: 'sandgate bundle, and bundles that are verified',
  rerun: 'sandgate rerun',
  rehearsal: 'sandgate rehearse',
  replay: 'A recording that answers',
  resend: 'A call that is sent again from the live page',
  live: 'The live page',
  wait: 'sandgate wait',
  admin: 'Commands that ask a running gateway',
  clock: 'The clock',
  bank: 'The living bank',
  testing: 'sandgate/testing',
};

const shown = (text: string): string => text.replace(/\{(\w+)\}/g, '*$1*');

const sentence = (text: string): string =>
  text.replace(/^(?!sandgate |docs\/)\p{Ll}/u, (first) => first.toUpperCase());

function areaOf(area: string, title: string): string[] {
  const rows = Object.entries<FaultRow>(FAULTS).filter(([id]) => id.startsWith(`${area}.`));
  return [
    `## ${title}`,
    table(
      ['Code', 'What is wrong', 'What to do', 'Exit status'],
      rows.map(([id, [kind, text, remedy]]) => [
        code(id),
        shown(text),
        remedy === '' ? 'as it says' : sentence(shown(remedy)),
        String(EXIT_STATUS[kind]),
      ]),
    ),
  ];
}

export function errorsDoc(): string {
  return page(
    'Errors',
    'Every error of the commands, the gateway and `sandgate/testing`. A code keeps its meaning; texts may change. You find ' +
      'the code in the log (`fault`), with `--debug`, and in `error.code` of a `SandgateError`. Words in italics are replaced.',
    'Exit status: 1 a recording was changed, 2 wrong usage or unreadable input, 3 an error of the environment or of ' +
      'Sandgate itself. The admin API answers wrong usage with 400. Errors that TPPs get while the store fails are in ' +
      '[store.md](store.md).',
    ...Object.entries(AREAS).flatMap(([area, title]) => areaOf(area, title)),
  );
}
