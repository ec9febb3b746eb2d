/** Numbers of the interface: §Limits where it gives one, a reading (readings.ts) where it does not. */

/** A day, in ms; days of a time zone may be an hour longer or shorter. */
export const DAY_MS = 86_400_000;

export const LIMITS = {
  /** §Limits 1: accesses a day to account information without the PSU. */
  accessesPerDay: 4,
  /** §Limits 2, in days. */
  consentDays: 90,
  /** §Limits 2, in ms. */
  refreshTokenMs: 90 * DAY_MS,
  /** §Limits 3, in days. */
  transactionHistoryDays: 90,
  /** Reading `access-token-lifetime`, in seconds. */
  accessTokenSeconds: { AIS: 3600, PIS: 300, PIIS: 3600 },
  /** Reading `history-after-sca`, in ms. */
  historyAfterScaMs: 20 * 60_000,
  /** Reading `one-off-consent`: from the first use, in ms. */
  oneOffConsentMs: 20 * 60_000,
  /** Reading `sca-link-lifetime`: where nothing else is set, in ms. */
  scaLinkMs: 20 * 60_000,
  /** Reading `unauthorised-resource`, in ms. */
  unauthorisedMs: DAY_MS,
  /** RFC 6749 4.1.2, in ms. */
  authorisationCodeMs: 600_000,
  /** Reading `body-limit`, in bytes. */
  bodyBytes: 1_048_576,
} as const;
