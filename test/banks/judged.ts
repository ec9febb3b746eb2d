/** Calls at a bank as a HAR of a proxy, judged under the bank's profile. */
import { createOfflineJudge, judgeRecording, loadConfig } from '../../src/app/index.js';
import { through } from '../../src/exchange/index.js';
import { readRecording } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { sealCall } from '../../src/testing/seal-call.js';
import { fingerprint } from '../builders.js';
import { SEAL, SEAL_KEY } from '../rules/signature/a-signed-call.js';
import { type Call, ROWS } from './calls.js';

const START = Date.parse('2026-06-15T08:00:00Z');
const PAUSE_MS = 20_000;

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export const harOf = (calls: readonly Call[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a proxy', version: '1' },
      entries: calls.map(({ method, url, headers, body, status, answerHeaders, answer }, i) => ({
        startedDateTime: new Date(START + i * PAUSE_MS).toISOString(),
        time: 100,
        request: {
          method,
          url,
          httpVersion: 'HTTP/1.1',
          headers: pairs(headers),
          ...(body === undefined
            ? {}
            : { postData: { mimeType: headers['Content-Type'] ?? '', text: body } }),
        },
        response: {
          status,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          headers: pairs(answerHeaders),
          content: {
            size: answer?.length ?? 0,
            mimeType: answerHeaders['Content-Type'] ?? '',
            text: answer ?? '',
          },
        },
      })),
    },
  });

const KEY = SEAL_KEY.export({ type: 'pkcs8', format: 'pem' }).toString();

/** As a TPP signs it that knows of no mistake in it. */
function sealed(call: Call): Call {
  const { method, url, headers, body } = call;
  const { pathname, search } = new URL(url);
  const seal = sealCall(
    { method, target: pathname + search, headers, body },
    { cert: SEAL.chainPem, key: KEY },
  );
  return { ...call, headers: { ...headers, ...seal } };
}

/** What is found in the calls, each with a line that tells it. */
export function judged(bank: string, calls: readonly Call[]) {
  const { config } = loadConfig({ flags: { bankProfile: bank }, env: {} });
  const text = harOf(ROWS[bank]?.signed === true ? calls.map(sealed) : calls);
  const recording = readRecording(text, { dialect: dialectOf(config.bankProfile, config.segment) });
  const { dialect, origins } = recording;
  const judge = createOfflineJudge(config, {
    fingerprint,
    today: '2026-06-15',
    dialect,
    origins,
    foreign: true,
  });
  const records = [...through(recording.records, judgeRecording({ judge, fingerprint }))];
  const found = records.flatMap(({ exchange: { call }, findings }) =>
    findings.map((finding) => ({
      ...finding,
      text: `${finding.severity} ${finding.rule}: ${call.request.method} ${call.request.path}, ${finding.place}: ${finding.expected}, found ${finding.actual ?? 'none'}`,
    })),
  );
  return { found, exchanges: records.length, skipped: recording.skipped };
}
