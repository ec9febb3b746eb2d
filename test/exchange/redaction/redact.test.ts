/** Redaction: what goes, what stays, and that doing it twice changes nothing. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../../src/admin/exchanges/reason.js';
import {
  type Answer,
  createPseudonyms,
  createRedactor,
  type Exchange,
  indexHeaders,
  isFingerprint,
  openAnswer,
  pseudonymise,
  readContent,
  redactExchange,
  scanText,
} from '../../../src/exchange/index.js';
import { type AnswerParts, anExchange, type CallParts, fingerprint, REQUEST_ID } from '../../builders.js';
import { codePoint } from '../../code-points.js';
import { processorTime } from '../../processor-time.js';
import { expectNoneIn } from '../../secret-forms.js';

const SECRET = 'S3cr3t-value_of.some~length';
const fp = fingerprint(SECRET);

const redact = (parts: { call?: CallParts; answer?: AnswerParts | null }): Exchange =>
  redactExchange(anExchange(parts), fingerprint);

const answerBody = (text: string, type = 'application/json', status = 200): string =>
  redact({ answer: { body: text, status, headers: { 'Content-Type': type } } }).answer?.body?.text ?? '';

const requestBody = (text: string, type: string): string =>
  redact({ call: { operation: 'oauth.token', body: text, headers: { 'Content-Type': type } } }).call.request
    .body?.text ?? '';

describe('headers', () => {
  it.each([
    ['Authorization', `Bearer ${SECRET}`, `Bearer ${fp}`],
    ['authorization', `Basic ${SECRET}`, `Basic ${fp}`],
    ['AUTHORIZATION', SECRET, fp],
    ['Authorization', 'Bearer', 'Bearer'],
    ['Proxy-Authorization', `Bearer  ${SECRET}`, `Bearer  ${fp}`],
    ['Cookie', `sid=${SECRET}; theme=`, `sid=${fp}; theme=`],
    ['Set-Cookie', `sid=${SECRET}; Path=/; HttpOnly`, `sid=${fp}; Path=/; HttpOnly`],
    ['X-Api-Key', SECRET, fp],
    ['DPoP', SECRET, fp],
    ['X-Access-Token', SECRET, fp],
    ['Token', SECRET, fp],
    ['X-Refresh-Token', SECRET, fp],
    ['Api-Key', SECRET, fp],
    ['X-Client-Secret', SECRET, fp],
    ['X-Password', SECRET, fp],
    ['X-Auth', SECRET, fp],
    ['X_Auth_Token', SECRET, fp],
    ['Ocp-Apim-Subscription-Key', SECRET, fp],
    ['X-JWT', SECRET, fp],
    ['X-OTP', SECRET, fp],
    ['X-Id-Token-Hint', SECRET, fp],
    ['X-Credentials', SECRET, fp],
    ['X-Token-Value', SECRET, fp],
    ['X-Cookie', `sid=${SECRET}; theme=`, `sid=${fp}; theme=`],
    ['Cookie2', `sid=${SECRET}`, `sid=${fp}`],
    ['X-Context', `{"user":"a","access_token":"${SECRET}"}`, `{"user":"a","access_token":"${fp}"}`],
    ['X-Forwarded-Authorization', `Bearer ${SECRET}`, `Bearer ${fp}`],
    ['Location', `https://user:${SECRET}@bank.example/a@b`, `https://user:${fp}@bank.example/a@b`],
    ['X-Debug', `sent Bearer ${SECRET}`, `sent Bearer ${fp}`],
    [
      'Referer',
      `https://tpp.example/cb?code=${SECRET}&state=abc`,
      `https://tpp.example/cb?code=${fp}&state=abc`,
    ],
    [
      'Location',
      `https://tpp.example/cb#access_token=${SECRET}`,
      `https://tpp.example/cb#access_token=${fp}`,
    ],
    [
      'Location',
      `https://bank.example/a?to=https%3A%2F%2Ftpp.example%2Fcb%3Fcode%3D${SECRET}%26state%3Dabc&x=1`,
      `https://bank.example/a?to=https%3A%2F%2Ftpp.example%2Fcb%3Fcode%3D${fp}%26state%3Dabc&x=1`,
    ],
    [
      'Location',
      `/a?to=%252Fb%253Fto%253D%25252Fcb%25253Fcode%25253D${SECRET}%252526state%25253Dabc`,
      `/a?to=%252Fb%253Fto%253D%25252Fcb%25253Fcode%25253D${fp}%252526state%25253Dabc`,
    ],
    [
      'Link',
      `<https://bank.example/x?token=${SECRET}>; rel=next`,
      `<https://bank.example/x?token=${fp}>; rel=next`,
    ],
  ])('%s: %s', (name, value, expected) => {
    const { call } = redact({ call: { headers: { [name]: value } } });
    expect(call.request.headers.find(([known]) => known === name)?.[1]).toBe(expected);
    const { answer } = redact({ answer: { headers: { [name]: value } } });
    expect(answer?.header[name.toLowerCase()]).toBe(expected);
  });

  it.each([
    ['X-Request-ID', REQUEST_ID],
    ['Client-Cert', ':MIIBpTCCAUqgAwIBAgIJALDlPSkjOPcyMAoGCCqGSM49BAMCMGQxCzAJBgNVBAYT=:'],
    ['X-Forwarded-Client-Cert', 'Hash=ab12;Cert="-----BEGIN%20CERTIFICATE-----%0AMIIB%3D";URI=spiffe://x'],
    ['Accept', 'application/json;q=0.9, */*;q=0.1'],
    ['Referer', 'https://tpp.example/?postcode=1000&sort_code=2000&encode=1'],
    ['TPP-Redirect-URI', 'https://tpp.example/cb?state=abc'],
    ['Cookie', ''],
    ['constructor', 'x'],
    ['__proto__', 'x'],
    ['WWW-Authenticate', 'Bearer error_description="expired", error="invalid_token"'],
    ['TPP-Explicit-Authorisation-Preferred', 'true'],
  ])('%s stays: %s', (name, value) => {
    const given = anExchange({ call: { headers: { [name]: value } } });
    expect(redactExchange(given, fingerprint)).toBe(given);
  });

  it('of any name are kept beside a secret', () => {
    const headerList = [
      ['constructor', 'x'],
      ['__proto__', 'y'],
      ['Authorization', `Bearer ${SECRET}`],
    ] as const;
    expect(redact({ call: { headerList } }).call.request.headers).toEqual([
      ['constructor', 'x'],
      ['__proto__', 'y'],
      ['Authorization', `Bearer ${fp}`],
    ]);
  });

  it('keep order, letter case and duplicates', () => {
    const headerList = [
      ['b', '1'],
      ['Cookie', `x=${SECRET}`],
      ['A', '2'],
      ['cookie', `y=${SECRET}`],
    ] as const;
    const { call } = redact({ call: { headerList } });
    expect(call.request.headers).toEqual([
      ['b', '1'],
      ['Cookie', `x=${fp}`],
      ['A', '2'],
      ['cookie', `y=${fp}`],
    ]);
    expect(call.header).toEqual(indexHeaders(call.request.headers));
  });
});

describe('the target', () => {
  it('loses codes and tokens of its query and nothing else', () => {
    const { call } = redact({
      call: { target: `/cb?a=%20b+c&code=${SECRET}&state=abc&code_challenge=xyz&&=` },
    });
    expect(call.request.target).toBe(`/cb?a=%20b+c&code=${fp}&state=abc&code_challenge=xyz&&=`);
    expect(call.request.query).toContainEqual(['code', fp]);
    expect(call.request.query).toContainEqual(['a', ' b c']);
  });

  it('loses them under percent-encoded names, and inside a nested address', () => {
    const target = `/cb?c%6Fde=${SECRET}&to=https%3A%2F%2Fx%3Frefresh_token%3D${SECRET}`;
    const { call } = redact({ call: { target } });
    expect(call.request.target).toBe(`/cb?c%6Fde=${fp}&to=https%3A%2F%2Fx%3Frefresh_token%3D${fp}`);
  });

  it.each([['access_token[]'], ['access_token%5B0%5D'], ['data[access_token]'], ['data.access_token']])(
    'loses them under a name that stands for a member: %s',
    (name) => {
      const { call } = redact({ call: { target: `/x?${name}=${SECRET}&a[b]=c` } });
      expect(call.request.target).toBe(`/x?${name}=${fp}&a[b]=c`);
    },
  );

  it.each([
    ['/stdgroup/v1/accounts;access_token=', {}],
    ['/stdgroup/v1/token&refresh_token=', {}],
    ['/stdgroup/v1/token%3Frefresh_token=', {}],
    ['/stdgroup/v1/accounts/access_token=', { accountId: 'access_token=' }],
  ])('loses those of its path: %s', (start, known) => {
    for (const secret of [SECRET, 'short']) {
      const hidden = fingerprint(secret);
      const params = Object.fromEntries(Object.entries(known).map(([name, text]) => [name, text + secret]));
      const { call } = redact({ call: { target: start + secret, params } });
      expect(call.request.target).toBe(start + hidden);
      expect(call.request.path).toBe(start + hidden);
      expect(Object.values(call.params)).toEqual(Object.values(known).map((text) => text + hidden));
    }
  });

  it('gives a percent-encoded value the fingerprint of the value', () => {
    const { call } = redact({ call: { target: '/cb?code=a%2Bb%2Fc%3D%3D-and-more' } });
    expect(call.request.query).toEqual([['code', fingerprint('a+b/c==-and-more')]]);
  });
});

describe('forms', () => {
  const FORM = 'application/x-www-form-urlencoded';
  it('keep everything but the values of secret fields', () => {
    const text = `grant_type=authorization_code&client_id=PSDBE-NBB-1&code=${SECRET}&code_verifier=${SECRET}&x=+y&code=${SECRET}`;
    expect(requestBody(text, FORM)).toBe(
      `grant_type=authorization_code&client_id=PSDBE-NBB-1&code=${fp}&code_verifier=${fp}&x=+y&code=${fp}`,
    );
  });

  it.each(['refresh_token', 'access_token', 'client_secret', 'password', 'assertion', 'client_assertion'])(
    'hide %s',
    (name) => {
      expect(requestBody(`a=1&${name}=${SECRET}`, FORM)).toBe(`a=1&${name}=${fp}`);
    },
  );

  it.each([
    ['JSON', `{"access_token":"${SECRET}","x":1}`],
    ['a credential', `Bearer ${SECRET}`],
  ])('lose the secrets of %s in a field, and keep the rest of it', (_, value) => {
    const hidden = value.replace(SECRET, fp);
    for (const raw of [encodeURIComponent(value), value.replaceAll(' ', '+')]) {
      const redacted = requestBody(`a=1&data=${raw}&b=%7B%2B`, FORM);
      expect([...new URLSearchParams(redacted)]).toEqual([
        ['a', '1'],
        ['data', hidden],
        ['b', '{+'],
      ]);
      expect(requestBody(redacted, FORM)).toBe(redacted);
    }
  });

  it('leave the codes that the specification prints', () => {
    expect(requestBody('code=AIS_VALID_CODE', FORM)).toBe('code=AIS_VALID_CODE');
  });

  it('are hidden under another media type, or none', () => {
    expect(requestBody(`a=1&code=${SECRET}`, 'text/plain')).toBe(`a=1&code=${fp}`);
    expect(requestBody(`{"code": "${SECRET}"}`, 'text/plain')).toBe(`{"code": "${fp}"}`);
    expect(requestBody(`{"code": "${SECRET}"`, FORM)).not.toContain(SECRET);
  });

  it('sent as JSON lose the values of secret fields alone: the rest can be judged again', () => {
    const text = `grant_type=authorization_code&code=${SECRET}&x=1`;
    expect(requestBody(text, 'application/json')).toBe(`grant_type=authorization_code&code=${fp}&x=1`);
    expect(isFingerprint(requestBody(`code=${SECRET}&{"code": "${SECRET}"`, 'application/json'))).toBe(true);
  });

  it('of several parts are hidden whole', () => {
    const text = `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${SECRET}\r\n--x--`;
    expect(isFingerprint(requestBody(text, 'multipart/form-data; boundary=x'))).toBe(true);
  });
});

describe('JSON', () => {
  it('keeps its format, its numbers and its doubled members', () => {
    const text = `{\n  "access_token" : "${SECRET}",\n\t"n": [1.10, 1E5, 12345678901234567890],\n  "token_type": "Bearer", "refresh_token": "${SECRET}", "refresh_token": "${SECRET}" }`;
    expect(answerBody(text)).toBe(text.replaceAll(SECRET, fp));
  });

  it.each([
    ['at any depth', `{"a":[{"b":{"id_token":"${SECRET}"}}]}`],
    ['in camel case', `{"accessToken":"${SECRET}"}`],
    ['by the name of a hint', `{"id_token_hint":"${SECRET}","loginHintToken":"${SECRET}"}`],
    ['by a name of clients', `{"sessionToken":"${SECRET}","apiKey":"${SECRET}","jwt":"${SECRET}"}`],
    ['with escapes in the name', `{"acc\\u0065ss_token":"${SECRET}"}`],
    ['as the credentials of the PSU', `{"psuData":{"password":"${SECRET}","encryptedPassword":"${SECRET}"}}`],
    [
      'as further credentials',
      `{"psuData":{"additionalPassword":"${SECRET}","additionalEncryptedPassword":"${SECRET}"}}`,
    ],
    ['as a code that confirms', `{"confirmationCode":"${SECRET}"}`],
    ['as an answer to a challenge', `{"scaAuthenticationData":"${SECRET}"}`],
    ['in a list', `{"password":["${SECRET}",{"x":"${SECRET}"}]}`],
    ['as a code', `{"code":"${SECRET}"}`],
    ['in a link', `{"_links":{"next":{"href":"https://b.example/x?code=${SECRET}&a=1"}}}`],
    ['in an encoded link', `{"href":"https://b.example/?u=https%3A%2F%2Ft%2Fcb%3Fcode%3D${SECRET}%26a%3D1"}`],
    ['in JSON within JSON', JSON.stringify({ payload: `{"a":[1.0],"access_token":"${SECRET}"}` })],
    ['in JSON within JSON within JSON', JSON.stringify([JSON.stringify([`{ "password": "${SECRET}" }`])])],
    ['in a text', `{"note":"sent Authorization: Bearer ${SECRET}, twice"}`],
    ['in a link with escaped slashes', `{"href":"https:\\/\\/b.example\\/x?access_token=${SECRET}"}`],
  ])('hides a secret %s', (_, text) => {
    const redacted = answerBody(text);
    expect(redacted).not.toContain(SECRET);
    expect(redacted).toContain(fp);
    expect(() => JSON.parse(redacted)).not.toThrow();
  });

  it('within JSON keeps its format but for the secret', () => {
    const inner = (value: string) => `{\n "n": 1.10, "access_token": "${value}", "x": "Bearer"}`;
    expect(answerBody(JSON.stringify({ payload: inner(SECRET) }))).toBe(
      JSON.stringify({ payload: inner(fp) }),
    );
  });

  it('hides a PIN that is a number', () => {
    expect(JSON.parse(answerBody('{"pin": 4711, "amount": 4711}'))).toEqual({
      pin: fingerprint('4711'),
      amount: 4711,
    });
  });

  it('hides what a PSU enters where it is a number', () => {
    const body = '{"scaAuthenticationData":123456,"psuData":{"password":4711},"authenticationMethodId":901}';
    expect(JSON.parse(requestBody(body, 'application/json'))).toEqual({
      scaAuthenticationData: fingerprint('123456'),
      psuData: { password: fingerprint('4711') },
      authenticationMethodId: 901,
    });
  });

  it('gives an escaped value the fingerprint of the value', () => {
    expect(answerBody('{"access_token":"a\\u0062c\\"d"}')).toBe(`{"access_token":"${fingerprint('abc"d')}"}`);
  });

  it.each([
    ['codes of messages', '{"tppMessages":[{"category":"ERROR","code":"N26_STRANGE","text":"x"}]}', 200],
    ['known message codes anywhere', '{"code":"FORMAT_ERROR"}', 200],
    ['codes of an error answer', '{"type":"about:blank","code":"whatever-it-is"}', 400],
    ['numbers under code', '{"code":404}', 200],
    [
      'names that only look alike',
      '{"purposeCode":"x","bankTransactionCode":"y","token_type":"Bearer"}',
      200,
    ],
    ['links without secrets', '{"_links":{"self":{"href":"/x?codes=1&dateFrom=2026-01-01"}}}', 200],
    ['the literal ids of the sandbox', '{"access_token":"VALID_CONSENT_ID"}', 200],
  ])('leaves %s', (_, text, status) => {
    const given = anExchange({ answer: { body: text, status } });
    expect(redactExchange(given, fingerprint)).toBe(given);
  });

  it('that does not parse goes whole where it names a secret, and stays where it names none', () => {
    expect(isFingerprint(answerBody(`{"access_token":"${SECRET}"`))).toBe(true);
    expect(answerBody('{"amount": 12')).toBe('{"amount": 12');
    expect(answerBody(`{"note": "Bearer ${SECRET}`)).toBe(`{"note": "Bearer ${fp}`);
  });
});

describe('other bodies', () => {
  it('lose bearer tokens and named secrets', () => {
    expect(answerBody(`<a><access_token>${SECRET}</access_token></a>`, 'application/xml')).not.toContain(
      SECRET,
    );
    expect(answerBody(`curl -H "Authorization: Bearer ${SECRET}"`, 'text/plain')).not.toContain(SECRET);
  });

  it.each([
    ['<ns:AccessToken xmlns:ns="x">', '</ns:AccessToken>'],
    ['<access_token type="x">', '</access_token>'],
    ['<access_token><![CDATA[', ']]></access_token>'],
    ['<wsse:Password Type="x#PasswordText">\n  ', '\n</wsse:Password>'],
  ])('lose secrets in XML: %s', (before, after) => {
    expect(answerBody(`<a>${before}${SECRET}${after}<b>c</b></a>`, 'application/xml')).toBe(
      `<a>${before}${fp}${after}<b>c</b></a>`,
    );
  });

  it('of several parts go whole under another media type too', () => {
    const text = `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${SECRET}\r\n--x--`;
    expect(isFingerprint(answerBody(text, 'text/plain'))).toBe(true);
  });

  it('as bytes go whole where they name a secret', () => {
    const bytes = Buffer.from(`\xff\xfepassword=${SECRET}`, 'latin1').toString('base64');
    const given = anExchange({
      answer: { body: 'x', headers: { 'Content-Type': 'application/octet-stream' } },
    });
    const answer = openAnswer({ ...(given.answer as Answer), body: { text: bytes, base64: true, size: 30 } });
    const body = redactExchange({ ...given, answer }, fingerprint).answer?.body;
    expect(body).toEqual({ text: fingerprint(bytes), size: 30 });
  });

  it('that were cut off go whole where they name a secret', () => {
    const given = anExchange({ answer: { body: '{}' } });
    const body = {
      text: `{"access_token":"${SECRET}","x":`,
      size: 9_999,
      truncated: true as const,
      sha256: 'ab',
    };
    const answer = openAnswer({ ...(given.answer as Answer), body });
    expect(redactExchange({ ...given, answer }, fingerprint).answer?.body).toEqual({
      ...body,
      text: fingerprint(body.text),
    });
  });

  it('of the PSU’s pages are dropped but for their size', () => {
    const given = anExchange({
      call: { operation: 'oauth.authorize', body: 'login=jan&pw=x' },
      answer: { body: '<h1>Jan</h1>', headers: { 'Content-Type': 'text/html' } },
    });
    const { call, answer } = redactExchange(given, fingerprint);
    expect(call.request.body).toEqual({ text: '', size: 14, truncated: true });
    expect(answer?.body).toEqual({ text: '', size: 12, truncated: true });
    expect(answer?.content).toEqual({ kind: 'not-observed' });
  });

  it.each([
    [400, 'emulator', '<title>This authorisation has ended – Bank</title>'],
    [200, 'emulator', ''],
    [400, 'upstream', ''],
  ] as const)(
    'of a page that is answered %i by %s keep no more than why it refuses',
    (status, source, text) => {
      const body = '<html><title>This authorisation has ended – Bank</title><p>Jan</p></html>';
      const given = anExchange({
        call: { operation: 'oauth.authorize' },
        answer: { status, source, body, headers: { 'Content-Type': 'text/html' } },
      });
      const redacted = redactExchange(given, fingerprint);
      expect(redacted.answer?.body).toEqual({ text, size: body.length + 2, truncated: true });
      expect(redactExchange(redacted, fingerprint).answer?.body?.text).toBe(text);
      const said = text === '' ? null : 'This authorisation has ended';
      expect(reasonOf({ exchange: redacted, findings: [], verdicts: {} })).toBe(said);
    },
  );
});

describe('a secret of the exchange', () => {
  it('is taken out wherever else it occurs', () => {
    const { call, answer } = redact({
      call: {
        target: `/stdgroup/v1/accounts/${SECRET}`,
        headers: { Authorization: `Bearer ${SECRET}`, 'X-Trace': `t-${SECRET}` },
      },
      answer: {
        status: 401,
        body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_INVALID', text: `Not ${SECRET}` }] },
      },
    });
    expect(JSON.stringify([call, answer])).not.toContain(SECRET);
    expect(call.params.accountId ?? fp).toBe(fp);
    expect(answer?.content).toMatchObject({ value: { tppMessages: [{ text: `Not ${fp}` }] } });
  });

  it('is taken out percent-encoded too', () => {
    const secret = 'needs+enc0ding/here==';
    const { call } = redact({
      call: {
        target: `/x?note=${encodeURIComponent(secret)}`,
        headers: { Authorization: `Bearer ${secret}` },
      },
    });
    expect(call.request.target).toBe(`/x?note=${fingerprint(secret)}`);
  });

  it('is taken out as base64 at any offset, percent-encoded twice, and with the escaped slashes of JSON', () => {
    const secret = 'needs+enc0ding/here==';
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const twice = encodeURIComponent(encodeURIComponent(secret));
    const copies = ['', 'a', 'ab'].map((before) => base64(before + secret));
    const { answer } = redact({
      call: { headers: { Authorization: `Bearer ${secret}` } },
      answer: {
        headers: { 'X-Copies': [...copies, twice, twice.toLowerCase(), 'needs+enc0ding\\/here=='].join() },
      },
    });
    const kept = answer?.header['x-copies'] ?? '';
    expect(kept.split(fingerprint(secret))).toHaveLength(7);
    expectNoneIn({ token: secret }, Buffer.from(kept), 'the header');
  });

  it('is found in a long body that other secrets, and itself in another one, were not found in', () => {
    const redactNext = createRedactor(fingerprint);
    const bodyFor = (token: string, note: string) => {
      const body = JSON.stringify({ note: note.padEnd(1_000, '.') });
      const parts = { call: { headers: { Authorization: `Bearer ${token}` } }, answer: { body } };
      return redactNext(anExchange(parts)).exchange.answer?.body?.text;
    };
    const other = 'an0ther-token-of-somebody';
    for (const note of ['Nothing', SECRET, 'Nothing', SECRET]) {
      expect(bodyFor(other, note)).toContain(note);
      expect(bodyFor(SECRET, note)).toContain(note === SECRET ? fp : note);
    }
  });

  it('leaves ordinary words alone, even where they are sent as a secret', () => {
    const { call } = redact({
      call: { target: '/stdgroup/v1/accounts', headers: { Authorization: 'Bearer accounts' } },
    });
    expect(call.request.target).toBe('/stdgroup/v1/accounts');
  });
});

const messy = fc.oneof(
  fc.constantFrom(
    SECRET,
    'code',
    'access_token',
    'Bearer x',
    'AIS_VALID_CODE',
    '%3D',
    '%253Fcode%253Dab',
    '"',
    '\\',
    '&code=',
    ';',
  ),
  fc.string({ unit: codePoint }),
);
const text = fc.array(messy, { maxLength: 6 }).map((parts) => parts.join(''));
const members = fc.dictionary(
  fc.oneof(fc.constantFrom('code', 'password', 'href', 'access_token'), fc.string()),
  text,
);
const bodies = fc.oneof(
  text,
  members.map((value) => JSON.stringify({ x: [value], ...value })),
  members.map((value) => new URLSearchParams(value).toString()),
);
const types = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/x',
  '',
);

describe('redacting', () => {
  it('a large body full of secrets takes no longer than reading it', () => {
    const body = Array.from({ length: 20_000 }, (_, i) => ({ code: `a-code-of-its-own-${i}` }));
    const given = anExchange({ answer: { body } });
    const from = processorTime();
    const text = redactExchange(given, fingerprint).answer?.body?.text;
    expect(processorTime() - from).toBeLessThan(3_000);
    expect(text).not.toContain('a-code-of-its-own');
  });

  it.each<[string, string]>([
    ['packed texts', `${gzipSync('x'.repeat(30_000)).toString('base64')} `],
    ['words that begin as a text', `${Buffer.from('abcdefghijklmno').toString('base64')}-`],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'],
    ['members of keys', '"kty","d":"AAAAAAAAAAAA'],
    ['percent-encoded letters', 'abc%41'],
    ['entities', '&amp;'],
    ['separators', 'B\u200bE 7-1 '],
  ])('takes no longer than the text is long, of many %s', (_, piece) => {
    const body = piece.repeat(300_000 / piece.length);
    const given = anExchange({ answer: { status: 400, body, headers: { 'Content-Type': 'text/plain' } } });
    const from = processorTime();
    redactExchange(given, fingerprint);
    pseudonymise(given, createPseudonyms(new Uint8Array(32)));
    scanText(body.slice(0, 20_000), { isHarmlessIban: () => false });
    expect(processorTime() - from).toBeLessThan(2_000);
  });

  it('twice changes nothing more, and keeps what derives in step', () => {
    fc.assert(
      fc.property(
        text,
        text,
        bodies,
        bodies,
        types,
        fc.constantFrom(200, 302, 400),
        (query, value, sent, got, type, status) => {
          const headers = { 'Content-Type': type, Authorization: value, Cookie: value, Referer: value };
          const given = anExchange({
            call: { operation: 'oauth.token', target: `/x?${query}`, body: sent, headers },
            answer: { status, body: got, headers: { ...headers, Location: value } },
          });
          const once = redactExchange(given, fingerprint);
          expect(redactExchange(once, fingerprint)).toEqual(once);
          expect(once.call.header).toEqual(indexHeaders(once.call.request.headers));
          expect(once.call.content).toEqual(readContent(once.call.request.body, type));
          expect(once.answer?.content).toEqual(readContent(once.answer?.body ?? null, type));
          expect(once.call.request.headers.map(([name]) => name)).toEqual(
            given.call.request.headers.map(([name]) => name),
          );
          expect(once.call.request.body?.size).toBe(given.call.request.body?.size);
        },
      ),
      {
        numRuns: 2_000,
        examples: [
          // A lone zero is no UTF-16, and letters beyond its first plane stay whole.
          ['', '', '=Bearer+xaccess_token%F0%90%80%80%00', '', 'text/plain', 200],
          // Two fingerprints side by side are no random word.
          ['', SECRET, '', SECRET + SECRET, '', 400],
        ],
      },
    );
  });

  it('hides the known secret wherever a secret may stand', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('code', 'access_token', 'refresh_token', 'code_verifier', 'id_token', 'password'),
        fc.string({ minLength: 12, maxLength: 60 }).filter((value) => !/^\s*$/.test(value)),
        (name, secret) => {
          const form = new URLSearchParams({ [name]: secret }).toString();
          const given = anExchange({
            call: { operation: 'oauth.token', target: `/x?${form}`, form: { [name]: secret } },
            answer: {
              body: {
                [name]: secret,
                link: `https://b.example/?u=${encodeURIComponent(`https://c/?${form}`)}`,
              },
            },
          });
          const { call, answer } = redactExchange(given, fingerprint);
          const made = fingerprint(secret);
          expect(call.request.query).toEqual([[name, made]]);
          expect(call.content).toEqual({ kind: 'form', fields: [[name, made]] });
          expect(answer?.content).toMatchObject({ value: { [name]: made } });
          expect(answer?.body?.text).not.toContain(encodeURIComponent(form));
        },
      ),
    );
  });
});

describe('a JWT', () => {
  const part = (text: string): string => Buffer.from(text).toString('base64url');
  const jwt = `${part('{"alg":"RS256","typ":"JWT"}')}.${part('{"sub":"somebody-7"}')}.${part('a signature')}`;

  it('is hidden where letters stand right before it', () => {
    for (const before of ['%zz', 'token', 'log:\\n', 'a'.repeat(9_000)]) {
      const { call } = redact({ call: { target: `/x/${before}${jwt}` } });
      expect(call.request.target).toBe(`/x/${before}${fingerprint(jwt)}`);
    }
  });

  it('is hidden in the name of a header', () => {
    const { call, answer } = redact({
      call: { headers: { [`X-${jwt}`]: '1' } },
      answer: { headers: { [`X-${jwt}`]: '1' } },
    });
    expect(JSON.stringify([call.request.headers, answer?.headers])).not.toContain(
      part('{"sub":"somebody-7"}'),
    );
  });

  it('is looked for in no more than a moment, whatever is there instead', () => {
    const target = `/${'eyJ'.repeat(300_000)}.aa.`;
    const before = processorTime();
    redact({ call: { target } });
    expect(processorTime() - before).toBeLessThan(1_000);
  });
});
