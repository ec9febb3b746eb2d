/** Reports of any size, and hostile ones, for tests of the HTML. */
import type { Report } from '../../src/report/index.js';
import { aReport } from './a-report.js';

const HOSTILE = [
  '<script>window.ran = 1</script>',
  '</script><script>window.ran = 1</script>',
  '"><img src=x onerror="window.ran = 1">',
  "' onmouseover='window.ran = 1",
  '</style><svg onload="window.ran = 1">',
  '</pre></details><iframe srcdoc="<script>parent.ran = 1</script>">',
  '<!--<script>window.ran = 1//-->',
  '&lt;script&gt;window.ran = 1&lt;/script&gt;',
  'javascript:window.ran=1',
  '\u202egnp.exe\u0000\u0007\u2066',
  '{{constructor.constructor("window.ran = 1")()}}',
] as const;

/** With every text replaced that a client or a bank has a hand in; one text after the other from the list. */
export function aHostileReport(): Report {
  let next = 0;
  const hostile = () => HOSTILE[next++ % HOSTILE.length] ?? '';
  const replaced = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => replaced(one, name));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, key)]));
    }
    return typeof value === 'string' && RECORDED.has(name) ? hostile() : value;
  };
  const report = replaced(aReport(), '') as Report;
  const { operations } = aReport().coverage;
  return {
    ...report,
    head: { ...report.head, title: HOSTILE[0] },
    coverage: { ...report.coverage, operations },
  };
}

const RECORDED = new Set([
  'name',
  'hosts',
  'reason',
  'actual',
  'expected',
  'place',
  'path',
  'method',
  'requestId',
  'startLine',
  'headers',
  'body',
  'note',
  'curl',
  'message',
  'resource',
  'lastStatus',
  'consent',
  'account',
  'subject',
  'issuer',
  'serialNumber',
  'link',
  'seen',
  'value',
]);

const LONG_BODY = JSON.stringify({ text: 'x'.repeat(1_800) }, null, 2);

/** With so many exchanges in its appendix; every tenth has a finding that is listed with its excerpt, up to 25 a rule. */
export function aLongReport(exchanges: number): Report {
  const report = aReport();
  const rows = report.appendix.exchanges;
  const long = Array.from({ length: exchanges }, (_, i) => {
    const row = rows[i % rows.length];
    if (row === undefined) throw new Error('The report has no exchange.');
    return { ...row, seq: i + 1, id: `0NVX3K${String(i).padStart(6, '0')}` };
  });
  const cited = Object.values(report.exchanges)[0];
  if (cited === undefined) throw new Error('The report cites no exchange.');
  const excerpts: Record<string, typeof cited> = {};
  const findings = Array.from({ length: 40 }, (_, rule) => {
    const group = report.findings[rule % report.findings.length];
    const occurrence = group?.occurrences[0];
    if (group === undefined || occurrence === undefined) throw new Error('The report has no finding.');
    const occurrences = Array.from({ length: 25 }, (_, i) => {
      const exchange = long[(rule * 25 + i) % long.length]?.id ?? '';
      excerpts[exchange] = { ...cited, id: exchange, request: { ...cited.request, body: LONG_BODY } };
      return { ...occurrence, id: `${rule}-${i}`, exchange };
    });
    return { ...group, rule: `${group.rule}-${rule}`, occurrences, count: 25 };
  });
  return {
    ...report,
    findings,
    exchanges: excerpts,
    appendix: { exchanges: long, omitted: 0, note: null },
  };
}
