/** The options of `sandgate certs issue`. */
import { KEY_TYPES } from '../app/certificates/index.js';

export const ISSUE_OPTIONS = [
  ['--name <NAME>', 'Name of the files: NAME.pem and NAME.key.', { required: true }],
  ['--roles <LIST>', 'PSD2 roles: any of PI, AI, IC and AS; may be empty.', { fallback: 'PI,AI,IC' }],
  ['--organisation <TEXT>', 'Name of the organisation (TPP).', { fallback: 'Test TPP' }],
  ['--number <TEXT>', 'Authorisation number of the organisation.', { fallback: '0123456789' }],
  ['--country <CC>', 'Country of the NCA (two letters).', { fallback: 'BE' }],
  ['--nca <CODE>', 'Code of the NCA.', { fallback: 'NBB' }],
  ['--not-before <DATE>', 'Start of validity; may be in the past or future (default: yesterday).'],
  ['--not-after <DATE>', 'End of validity; may be in the past.'],
  ['--days <N>', 'Validity in days, instead of --not-after (default: 365).'],
  ['--key-type <TYPE>', 'Type of the key.', { choices: KEY_TYPES, fallback: 'rsa-2048' }],
  [
    '--qc-type <TYPE>',
    'Type of the qualified certificate (QcType): web is a QWAC.',
    { choices: ['web', 'eseal', 'esign', 'none'], fallback: 'web' },
  ],
  [
    '--encoding <FORM>',
    'Encoding of the PSD2 QCStatement.',
    {
      choices: ['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper', 'other-strings', 'absent'],
      fallback: 'standard',
    },
  ],
  ['--p12 [FILE]', 'Write a PKCS#12 file too (default: NAME.p12).'],
  [
    '--passphrase-file <FILE>',
    'File whose first line is the passphrase of the PKCS#12 file (default: none).',
  ],
  ['--force', 'Replace a certificate of the same name.'],
] as const;
