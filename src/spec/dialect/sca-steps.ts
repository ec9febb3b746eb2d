/** The steps of an SCA that a TPP takes by PUT. */
export const SCA_STEPS = [
  'identification',
  'authentication',
  'selection',
  'authorisation',
  'confirmation',
] as const;

/** Members of a body that hold the data of each step (Berlin Group). The header PSU-ID identifies. */
export const SCA_DATA = {
  identification: [],
  authentication: [
    'psuData.password',
    'psuData.encryptedPassword',
    'psuData.additionalPassword',
    'psuData.additionalEncryptedPassword',
  ],
  selection: ['authenticationMethodId'],
  authorisation: ['scaAuthenticationData'],
  confirmation: ['confirmationCode'],
} as const satisfies Record<(typeof SCA_STEPS)[number], readonly string[]>;
