/** The blocks that a page of the dossier is made of: plain values, which `layout.ts` measures and `draw.ts` draws. */

/** Nothing is told by colour alone: `alarm` stands beside words that say the same. */
export type Tone = 'plain' | 'quiet' | 'alarm';

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  /** Drawn with hatching: not tested. */
  readonly hatched?: true;
  /** A box to tick, drawn before the text. */
  readonly box?: true;
}

export interface Column {
  readonly head: string;
  /** Its share of the width. */
  readonly share: number;
  readonly align?: 'left' | 'right' | 'centre';
  /** Rows are left out before its texts are cut. */
  readonly isWhole?: true;
}

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  readonly style: keyof typeof STYLES;
  readonly tone?: Tone;
  /** Lines that are left, ending in an ellipsis, where the page is too small for all. */
  readonly least?: number;
  /** On a grey ground. */
  readonly boxed?: true;
}

export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  /** Worst first: the last ones are left out where the page is too small for all. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that there are in all; those that are not given are counted as left out. */
  readonly of?: number;
  /** Rows that are always shown. */
  readonly least?: number;
}

/** Labels with their values, in two columns. */
export interface Pairs {
  readonly kind: 'pairs';
  readonly columns: readonly (readonly (readonly [label: string, value: string])[])[];
}

export interface Numbers {
  readonly kind: 'numbers';
  readonly items: readonly { readonly value: string; readonly label: string; readonly tone?: Tone }[];
}

/** Bars of a histogram; `alt` says the same in words. */
export interface Bars {
  readonly kind: 'bars';
  readonly alt: string;
  /** 0 to 1; `marked` bars are hatched. */
  readonly bars: readonly { readonly height: number; readonly marked: boolean }[];
}

/** Lines to sign on. */
export interface Signatures {
  readonly kind: 'signatures';
  readonly labels: readonly string[];
}

export type Block = Text | Table | Pairs | Numbers | Bars | Signatures;

interface Style {
  readonly tag: 'H1' | 'H2' | 'P';
  readonly size: number;
  readonly leading: number;
  readonly weight: 'regular' | 'semibold';
  readonly before: number;
  readonly after: number;
  /** Smaller sizes, tried where the text takes more than `roomy` lines. */
  readonly smaller?: { readonly roomy: number; readonly sizes: readonly number[] };
  readonly ruled?: true;
}

export const STYLES = {
  title: {
    tag: 'H1',
    size: 20,
    leading: 1.16,
    weight: 'semibold',
    before: 4,
    after: 5,
    smaller: { roomy: 2, sizes: [15, 12, 10] },
  },
  heading: {
    tag: 'H2',
    size: 11,
    leading: 1.3,
    weight: 'semibold',
    before: 10,
    after: 5,
    ruled: true,
  },
  verdict: {
    tag: 'P',
    size: 13,
    leading: 1.33,
    weight: 'regular',
    before: 3,
    after: 5,
    smaller: { roomy: 3, sizes: [11, 9.5] },
  },
  plain: { tag: 'P', size: 9.5, leading: 1.38, weight: 'regular', before: 0, after: 4 },
  strong: { tag: 'P', size: 9.5, leading: 1.38, weight: 'semibold', before: 0, after: 4 },
  small: { tag: 'P', size: 8.5, leading: 1.35, weight: 'regular', before: 0, after: 3 },
} as const satisfies Record<string, Style>;

export const styleOf = (style: keyof typeof STYLES): Style => STYLES[style];

const tone = (given: Tone | undefined) => (given === undefined ? {} : { tone: given });

export const text = (value: string, style: Text['style'] = 'plain', given?: Tone): Text => ({
  kind: 'text',
  text: value,
  style,
  ...tone(given),
});
export const heading = (value: string): Text => text(value, 'heading');
export const cell = (value: string, given?: Tone): Cell => ({ text: value, ...tone(given) });
export const NOT_TESTED: Cell = { text: '–', tone: 'quiet', hatched: true };
