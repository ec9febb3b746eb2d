/** Facts of the living bank about its codes and tokens. */

/** Behind a token that came before any consent: the PSU that logged in, and its consent if the bank has none of TPPs. */
export interface Grantor {
  readonly psu: string;
  readonly consent?: string;
}

export interface BankCode {
  /** Fingerprint. */
  readonly code: string;
  readonly tpp: string;
  readonly authorisation: string;
  readonly scope: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly method: 'S256' | 'plain';
  readonly issuedAt: number;
  readonly usedAt: number | null;
  readonly grantor?: Grantor;
  /** When it came again: whoever has it stole it or was stolen from, and what it gave has ended. */
  readonly reusedAt: number | null;
}

export interface BankToken {
  /** Fingerprint. */
  readonly token: string;
  readonly kind: 'access' | 'refresh';
  readonly tpp: string;
  readonly scope: string;
  readonly grantor?: Grantor;
  /** Fingerprint of the code that it goes back to, through however many refreshes. */
  readonly code: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}
