/** Statistics of a bank in CSV: as spreadsheets and banks write them, and as anybody may. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStatistics } from '../../src/report/index.js';
import { SandgateError } from '../../src/spec/index.js';

const read = (text: string) => readStatistics(Buffer.from(text), 'bank.csv').rows;
const HEAD = 'date,service,availability,error rate,average ms';

const rate = fc.option(fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100));
const row = fc.record({
  service: fc.constantFrom('AIS', 'PIS', 'CBPII'),
  availability: rate,
  errorRate: rate,
  averageMs: fc.option(fc.integer({ min: 0, max: 99_999 }).map((tenths) => tenths / 10)),
});
const rows = fc
  .array(row, { maxLength: 20 })
  .map((all) =>
    all.map((one, i) => ({ day: new Date(Date.UTC(2026, 8, 1 + i)).toISOString().slice(0, 10), ...one })),
  );
const style = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  end: fc.constantFrom('\n', '\r\n'),
  isGerman: fc.boolean(),
  isQuoted: fc.boolean(),
  hasMark: fc.boolean(),
  unit: fc.constantFrom('', ' %'),
  note: fc.constantFrom('', '"', ';,\n\t', '=1+1'),
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
});
const ENGLISH = ['Date', 'Service', 'Availability (%)', 'Error rate', 'Average response time ms', 'Note'];
const GERMAN = ['Datum', 'Dienst', 'Verfügbarkeit (Prozent)', 'Fehlerquote', 'Antwortzeit (ms)', 'Bemerkung'];

describe('the statistics of a bank', () => {
  it('are read in every style of CSV', () => {
    fc.assert(
      fc.property(rows, style, (all, { separator, end, isGerman, isQuoted, hasMark, unit, note, order }) => {
        const quoted = (text: string) =>
          isQuoted || /["\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const number = (value: number | null, of = '') =>
          value === null ? '' : `${isGerman ? String(value).replace('.', ',') : value}${of}`;
        const lines = all.map(({ day, service, availability, errorRate, averageMs }) => [
          isGerman ? day.split('-').reverse().join('.') : day,
          service.toLowerCase(),
          number(availability, unit),
          number(errorRate),
          number(averageMs),
          note,
        ]);
        const cells = [isGerman ? GERMAN : ENGLISH, ...lines];
        const text = cells.map((line) => order.map((i) => quoted(line[i] ?? '')).join(separator)).join(end);
        expect(read(`${hasMark ? '\uFEFF' : ''}${text}`)).toEqual(all);
      }),
    );
  });

  it('give rows or an error with its line, whatever stands there', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('"', ',', ';', '\n', '\r', '2026-09-01', 'AIS', '99,9', HEAD, '1'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(anything, fc.boolean(), (text, isHeaded) => {
        try {
          read(isHeaded ? `${HEAD}\n${text}` : text);
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
          expect(String(error)).toMatch(/bank\.csv, line \d+: /);
        }
      }),
    );
  });

  it.each<readonly [name: string, text: string, error: RegExp]>([
    ['nothing', '', /line 1: a heading is expected/],
    ['no column of dates', 'service,availability', /line 1: no column tells the date/],
    ['no value', 'date,service,note', /line 1: no column tells the availability/],
    ['two columns of one kind', 'date,day,service,uptime', /line 1: two columns tell the date/],
    ['a cell too many', `${HEAD}\n2026-09-01,AIS,99,5,0,100`, /line 2: 5 cells are expected.*there are 6/],
    ['an American date', `${HEAD}\n09/01/2026,AIS,99,,`, /line 2: the date “09\/01\/2026” is neither/],
    ['a day that is none', `${HEAD}\n2026-02-30,AIS,99,,`, /line 2: the date/],
    ['another service', `${HEAD}\n2026-09-01,XS2A,99,,`, /line 2: the service “XS2A” is none of/],
    ['more than all', `${HEAD}\n2026-09-01,AIS,100.1,,`, /line 2: the availability “100.1” is not read/],
    ['thousands', `${HEAD}\n2026-09-01,AIS,,,"1.234"`, /line 2: the average “1.234” is not read/],
    ['both signs', `${HEAD}\n2026-09-01,AIS,,,"1.234,5"`, /line 2: the average/],
    [
      'a day twice',
      `${HEAD}\n2026-09-01,AIS,99,,\n01.09.2026,ais,98,,`,
      /line 3: AIS on 2026-09-01 stands there twice/,
    ],
    ['an open quote', `${HEAD}\n"2026-09-01,AIS,99,,`, /line 2: a quotation mark is opened and not closed/],
    [
      'a line counted behind one in quotes',
      `${HEAD},note\n2026-09-01,AIS,99,,,"a\nb"\nx,AIS,,,,`,
      /line 4: the date/,
    ],
    ['too many rows', `${HEAD}\n${'2026-09-01,AIS,99,,\n'.repeat(5_001)}`, /line 5002: at most 5000 rows/],
  ])('say what is wrong with %s', (_name, text, error) => {
    expect(() => read(text)).toThrow(error);
  });

  it('are read in the code page of Windows too', () => {
    const text = Buffer.from('Datum;Dienst;Verfügbarkeit\n01.09.2026;AIS;99,5', 'latin1');
    expect(readStatistics(text, 'bank.csv').rows).toMatchObject([{ day: '2026-09-01', availability: 99.5 }]);
  });
});
