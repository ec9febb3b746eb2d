/** The rules that the call was held against and that it kept, or that could not be observed. */
import type { Detail } from '../../admin/index.js';
import { counted } from '../format.js';

const SHOWN = { complied: 'complied', 'not-observed': 'not observed' } as const;

export function Verdicts({ verdicts }: Pick<Detail, 'verdicts'>) {
  const all = Object.entries(verdicts);
  return (
    <>
      {(Object.keys(SHOWN) as (keyof typeof SHOWN)[]).map((wanted) => {
        const rules = all.filter(([, verdict]) => verdict === wanted).map(([rule]) => rule);
        return rules.length === 0 ? null : (
          <details key={wanted} class="card">
            <summary>
              {counted(rules.length, 'rule')} {SHOWN[wanted]}
            </summary>
            <ul class="verdicts mono">
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}
