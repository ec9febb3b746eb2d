/** One thing that `sandgate doctor` looked at. */

export interface Examination {
  /** What was looked at: `certificates`, `port --listen`, `store`, `clock`, `bank name`. */
  readonly name: string;
  /** `poor`: it works, but somebody should look at it. */
  readonly state: 'good' | 'poor' | 'bad';
  /** One sentence on what was found. */
  readonly found: string;
  /** What to do; empty where nothing is to be done. */
  readonly advice: string;
}

export type Finding = Pick<Examination, 'state' | 'found' | 'advice'>;

export const good = (found: string): Finding => ({ state: 'good', found, advice: '' });
export const poor = (found: string, advice: string): Finding => ({ state: 'poor', found, advice });
export const bad = (found: string, advice: string): Finding => ({ state: 'bad', found, advice });
