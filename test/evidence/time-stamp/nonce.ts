/** What ties the recorded answer to its request. */
export const NONCE = Buffer.from('9f3a5c7d11223344', 'hex');
