/**
 * The certificates that may sign the EU's list of lists, as notices in the Official Journal name them. Pivots, which are
 * editions of the list itself, name later ones.
 */

interface Notice {
  readonly notice: string;
  readonly from: string;
  readonly until: string;
  /** SHA-256 of each certificate, hex. */
  readonly signers: readonly string[];
}

/** The notice C/2026/1944 of 15 April 2026 replaced the last one; its certificates must be given. */
const NOTICES: readonly Notice[] = [
  {
    notice: 'C 233, 28.6.2016',
    from: '2016-06-28',
    until: '2019-09-01',
    signers: [
      '59c80dcc7429ccfd8c2b1590fe885fb4f6c77f7c9cbb4b82a62cb1c27ff4e246',
      'f1bcdd117b1554173813a42183c54db97e3a7e109d0afa98f4bcd326754a0351',
      'ffea7f0ed29beb0773ea3b0c4729bbf800a6c390b62195cb270f12a4aa62f284',
      'f7bc0d164dec8f36709abe85fc57022f3b1684700a804c368d3432900490dfcb',
    ],
  },
  {
    notice: 'C 276, 16.8.2019',
    from: '2019-08-16',
    until: '2026-04-29',
    signers: [
      '5400ab712c41aaf0c40b505e264d5494d8af4180f8f62955d16223b3290f97c3',
      '9c1a3b646eaf132398ef319e41c8e7ed725b64d5772580ae125d59c0f6845630',
      '59a1bf290b818b177ad61ac4b3e6dcddd46da6d5be9579f8564adea6f2cf073e',
      '8e508f03b132500c3403db66e9dd39cd78f4657c840958a77d34e7bd621468e7',
      'c1a37db48cd5e0479b97f4de32e3a7470c52aafb94c1656ef56f97503992c8a7',
      'd2064fdd70f6982dcc516b86d9d5c56aea939417c624b2e478c0b29de54f8474',
      '435504bfd802edf4db08cbd7c7729a0d45b227797b727e4e6ea1d31684166342',
      'ccd879b36bb553685becbd12901c7f41f7bd3e07f898fcbbe1eec456b03d7589',
    ],
  },
];

export interface Signers {
  /** Fingerprints, SHA-256 in hex. */
  readonly fingerprints: readonly string[];
  /** Epoch ms. Editions before it do not name signers anew: they may name some that were withdrawn since. */
  readonly since: number;
}

/** The signers that notices in force at a time (epoch ms) name. */
export function officialSigners(at: number): Signers {
  const inForce = NOTICES.filter(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
  return {
    fingerprints: inForce.flatMap(({ signers }) => signers),
    since: Math.max(0, ...inForce.map(({ from }) => Date.parse(from))),
  };
}
