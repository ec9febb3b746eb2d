/** Messages of the page about actions and failures, and its colours, light or dark. */
import { signal } from '@preact/signals';
import { messageOf } from '../api.js';

type Said = { readonly text: string; readonly isProblem: boolean };

export const said = signal<Said | null>(null);
const SHOWN_MS = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, isProblem = false): void {
  said.value = { text, isProblem };
  clearTimeout(timer);
  // A problem stays until it is read.
  if (!isProblem) timer = setTimeout(hush, SHOWN_MS);
}

export function hush(): void {
  said.value = null;
}

export const complain = (error: unknown): void => say(messageOf(error), true);

/** Does something, and says what came of it. Resolves with undefined where it failed. */
export async function doing<T>(
  work: () => Promise<T>,
  done: string | ((result: T) => string),
): Promise<T | undefined> {
  try {
    const result = await work();
    say(typeof done === 'string' ? done : done(result));
    return result;
  } catch (error) {
    complain(error);
    return undefined;
  }
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const KEY = 'sandgate-theme';

function remembered(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export const theme = signal<Theme>('auto');

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It is not remembered where the browser keeps nothing.
  }
}

export const beginTheme = (): void => setTheme(remembered());
/** The other colours than those that are seen: each step changes something. */
export function nextTheme(): void {
  const isDark =
    theme.value === 'dark' || (theme.value === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  setTheme(isDark ? 'light' : 'dark');
}
