/** Certificates: those in use, one of them taken apart, and a new one for tests. */
import type {
  DecodedCertificate,
  ShownCertificate,
  ShownPart,
  WantedCertificate,
} from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { download, useGet } from '../api.js';
import { counted, days, grouped } from '../format.js';
import { doing } from '../state/said.js';
import { ActionForm, AskedTable, filledIn, Part, Tpp } from '../view.js';

const USES = {
  bank: 'client certificate at the bank',
  server: 'server certificate',
  ca: 'CA',
  tpp: 'TPP',
  test: 'test',
} as const satisfies Record<ShownCertificate['use'], string>;
const NEAR_DAYS = 30;

export function Certificates() {
  const { session, open } = address.value;
  const asked = useGet<readonly ShownCertificate[]>('/api/certificates', { session });
  return (
    <div class="page">
      <h1>Certificates</h1>
      {open === null ? null : <Decoded fingerprint={open} session={session} />}
      <AskedTable
        asked={asked}
        label="Certificates"
        chosen={(all) => [...all].sort((a, b) => b.exchanges - a.exchanges)}
        keyOf={({ fingerprint }) => fingerprint}
        nothing="There are none."
        columns={[
          [
            'Certificate',
            ({ name, subject, fingerprint }) => (
              <a
                href={hrefWith({ open: fingerprint })}
                title={subject}
                aria-current={open === fingerprint ? 'true' : undefined}
              >
                {name ?? subject}
              </a>
            ),
            'id',
          ],
          ['Use', ({ use, flaw }) => (flaw === null ? USES[use] : `${USES[use]}: ${flaw}`)],
          ['TPP', ({ tpp }) => (tpp === null ? '–' : <Tpp id={tpp} />)],
          [
            'Left',
            ({ daysLeft, notAfter }) => (
              <span class={daysLeft < NEAR_DAYS ? 'bad' : ''} title={notAfter}>
                {days(daysLeft)}
              </span>
            ),
            'num',
          ],
          ['Calls', ({ exchanges }) => grouped(exchanges), 'num'],
          [
            'Newest',
            ({ exchange }) =>
              exchange === null ? '–' : <a href={hrefWith({ view: 'calls', open: exchange })}>The call</a>,
            'id',
          ],
        ]}
      />
      <Issue />
    </div>
  );
}

function Decoded({
  fingerprint,
  session,
}: {
  readonly fingerprint: string;
  readonly session: string | null;
}) {
  const path = `/api/certificates/${encodeURIComponent(fingerprint)}`;
  const asked = useGet<DecodedCertificate>(path, { session });
  return (
    <section class="card" aria-label="Decoded certificate">
      <Part asked={asked}>
        {({ subject, faults, parts }) => (
          <>
            <h2>{subject}</h2>
            <p>
              {faults === 0
                ? 'No rule finds a fault with it.'
                : `${counted(faults, 'fault')}, each at its part.`}{' '}
              <a href={hrefWith({ open: null })}>Close</a>
            </p>
            <Tree parts={parts} />
          </>
        )}
      </Part>
    </section>
  );
}

const Tree = ({ parts }: { readonly parts: readonly ShownPart[] }) => (
  <ul class="tree">
    {parts.map(({ term, text, faults, parts: below }) => (
      <li key={`${term} ${text}`}>
        <span class="soft">{term}</span> {text}
        {faults.map((fault) => (
          <Fault key={fault.rule + fault.expected} {...fault} />
        ))}
        {below.length === 0 ? null : <Tree parts={below} />}
      </li>
    ))}
  </ul>
);

const Fault = ({ rule, severity, statement, expected, actual, fix, says }: ShownPart['faults'][number]) => (
  <div class={`hint ${severity}`}>
    <span class={`badge ${severity}`}>{severity}</span> {statement}. Expected {expected}
    {actual === undefined ? '' : `, found ${actual}`}. {fix}
    <p class="soft">
      {says.join(' · ')} <span class="mono">{rule}</span>
    </p>
  </div>
);

const ROLES = [
  ['AI', 'account information'],
  ['PI', 'payment initiation'],
  ['IC', 'funds confirmation'],
  ['AS', 'account servicing'],
] as const;
type Choice<N extends 'keyType' | 'qcType' | 'encoding' | 'format'> = readonly [
  name: N,
  title: string,
  values: readonly WantedCertificate[N][],
];
const CHOICES: readonly [Choice<'keyType'>, Choice<'qcType'>, Choice<'encoding'>, Choice<'format'>] = [
  ['keyType', 'Key', ['rsa-2048', 'rsa-3072', 'ec-p256', 'ec-p384']],
  ['qcType', 'Type', ['web', 'eseal', 'esign', 'none']],
  [
    'encoding',
    'PSD2 statement',
    ['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper', 'other-strings', 'absent'],
  ],
  ['format', 'File', ['zip', 'p12', 'pem']],
];
const FIELDS = [
  ['name', 'Name', 'my-tpp'],
  ['organisation', 'Organisation', 'Test TPP'],
  ['number', 'Number', '0123456789'],
  ['country', 'Country', 'BE'],
  ['nca', 'NCA', 'NBB'],
  ['days', 'Days', '365'],
] as const;

function Issue() {
  const make = (form: FormData) => {
    const wanted = filledIn(form, [...[...FIELDS, ...CHOICES].map(([name]) => name), 'passphrase']);
    const { name, format } = wanted;
    return doing(
      () =>
        download('/api/certificates', `${name}.${format}`, {
          ...wanted,
          roles: form.getAll('roles').join(','),
        }),
      `The certificate ${name} is downloaded; Sandgate keeps neither it nor its key.`,
    );
  };
  return (
    <section>
      <h2>Make a test certificate</h2>
      <ActionForm verb="Make and download" onSend={make}>
        {FIELDS.map(([name, title, value]) => (
          <label key={name}>
            {title}{' '}
            <input
              name={name}
              defaultValue={value}
              required
              maxLength={64}
              size={value.length + 2}
              autocomplete="off"
            />
          </label>
        ))}
        <fieldset>
          <legend>Roles</legend>
          {ROLES.map(([role, meaning]) => (
            <label key={role}>
              <input type="checkbox" name="roles" value={role} defaultChecked={role !== 'AS'} /> {role}:{' '}
              {meaning}
            </label>
          ))}
        </fieldset>
        {CHOICES.map(([name, title, values]) => (
          <label key={name}>
            {title}{' '}
            <select name={name}>
              {values.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        ))}
        <label>
          Passphrase of PKCS#12{' '}
          <input name="passphrase" type="password" autocomplete="new-password" size={12} />
        </label>
      </ActionForm>
      <p class="soft">
        The test CA signs it. A zip holds NAME.pem with its chain, NAME.key, NAME.p12 and ca.pem.
      </p>
    </section>
  );
}
