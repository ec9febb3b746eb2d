import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { probeSignature } from '../../../src/certificate/index.js';
import { Request, readSignature, signedText, signedValue } from '../../../src/exchange/index.js';

/** draft-cavage-http-signatures-10 to -12, appendix C. */
const KEY = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----`);
const REQUEST = new Request(
  'POST',
  '/foo?param=value&pet=dog',
  [
    ['Host', 'example.com'],
    ['Date', 'Sun, 05 Jan 2014 21:31:40 GMT'],
    ['Content-Type', 'application/json'],
    ['Digest', 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE='],
    ['Content-Length', '18'],
  ],
  { text: '{"hello": "world"}', size: 18 },
);
const VECTORS = {
  'Default Test':
    'keyId="Test",algorithm="rsa-sha256",signature="SjWJWbWN7i0wzBvtPl8rbASWz5xQW6mcJmn+ibttBqtifLN7Sazz6m79cNfwwb8DMJ5cou1s7uEGKKCs+FLEEaDV5lp7q25WqS+lavg7T8hc0GppauB6hbgEKTwblDHYGEtbGmtdHgVCk9SuS13F0hZ8FD0k/5OxEPXe5WozsbM="',
  'Basic Test':
    'keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date",signature="qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HMbe8VfEdKFYRqzic+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0="',
  'All Headers Test':
    'keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date content-type digest content-length",signature="vSdrb+dS3EceC9bcwHSo4MlyKS59iFIrhgYkz8+oVLEEzmYZZvRs8rgOp+63LEM3v+MFHB32NfpB2bEKBIvB1q52LaEUHFv120V01IL+TAD48XaERZFukWgHoBTLMhYS2Gb51gWxpeIq8knRmPnYePbF5MOkR0Zkly4zKH7s1dE="',
};

describe('the test vectors of the draft', () => {
  it.each(Object.entries(VECTORS))('%s verifies, and no other text does', (_, header) => {
    const read = readSignature(header);
    if ('problem' in read) throw new Error(read.problem);
    const signature = Buffer.from(read.parameters.get('signature') ?? '', 'base64');
    const text = signedText(read.covered.map((name) => [name, signedValue(REQUEST, read, name) ?? '']));
    const { schemeOf, isOfKey } = probeSignature(KEY, signature);
    expect(isOfKey).toBe(true);
    expect(schemeOf(Buffer.from(text))).toBe('rsa-sha256');
    expect(schemeOf(Buffer.from(`${text}\n`))).toBeNull();
  });
});
