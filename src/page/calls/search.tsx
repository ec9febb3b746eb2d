/** The filter: the language of all filters, with suggestions. It applies while it is typed, and is the address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Summary } from '../../admin/index.js';
import { address, go } from '../address.js';
import { problem, rows } from '../state/calls.js';
import { ABOUT } from '../view.js';
import { openSaved, savedSearches } from './saved.js';

/** Values are suggested out of the newest calls. */
const LOOKED_AT = 500;
/** Typing that goes on within this time has not ended. */
const PAUSE_MS = 300;
const isUnfinished = (text: string): boolean =>
  /[:=<>!]$/.test(text.trim()) ||
  text.split('"').length % 2 === 0 ||
  text.split('(').length !== text.split(')').length;

export function Search() {
  const { q } = address.value;
  const [text, setText] = useState(q);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  /** Typing without a pause is one step of the history. */
  const hasSent = useRef(false);
  /** The field ignores the address that it set itself: more may be typed by then. */
  const sent = useRef(q);
  useEffect(() => {
    if (sent.current === q) return;
    sent.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (!isOpen || text.trim() === q || isUnfinished(text)) return;
    const typing = setTimeout(() => send(text), PAUSE_MS);
    return () => clearTimeout(typing);
  }, [text]);
  const all = isOpen ? suggestionsFor(lastWord(text), newestCalls()) : [];
  const send = (filter: string) => {
    if (filter.trim() === address.peek().q) return;
    sent.current = filter.trim();
    go({ q: sent.current, open: null }, hasSent.current);
    hasSent.current = true;
  };
  const use = (filter: string) => {
    setText(filter);
    send(filter);
  };
  const take = ({ text: suggested }: Suggestion) => {
    setText(text.slice(0, text.length - lastWord(text).length) + suggested);
    setActive(-1);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = all[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (all.length === 0) return;
      setActive((active + (event.key === 'ArrowDown' ? 1 : all.length + (active < 0 ? 0 : -1))) % all.length);
    } else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
    else if (event.key === 'Escape' && isOpen && all.length > 0) setOpen(false);
    else {
      // Who leaves the field is done: the next keys are about what it finds.
      if (event.key === 'Escape' && !isUnfinished(text)) send(text);
      return;
    }
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element search is younger than the browsers that this is for.
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setOpen(false);
        send(text);
      }}
    >
      <input
        ref={input}
        id="q"
        name="q"
        role="combobox"
        aria-label="Filter"
        aria-expanded={all.length > 0}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && all.length > 0 ? `suggestion-${active}` : undefined}
        aria-invalid={problem.value !== null}
        value={text}
        maxLength={1_000}
        autocomplete="off"
        spellcheck={false}
        placeholder="Search everything, or name:value"
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          hasSent.current = false;
        }}
        onKeyDown={onKeyDown}
      />
      <button type="button" class="icon saved" aria-label="Saved searches" onClick={() => openSaved(use)}>
        ☆
      </button>
      {text === '' ? (
        <kbd>/</kbd>
      ) : (
        <button type="button" class="icon" aria-label="Clear the filter" onClick={() => use('')}>
          ×
        </button>
      )}
      <div
        id="suggestions"
        class="suggestions"
        role="listbox"
        aria-label="Suggestions"
        hidden={all.length === 0}
      >
        {all.map((one, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus, and tells which one is active.
          <div
            key={one.text}
            id={`suggestion-${i}`}
            role="option"
            aria-selected={i === active}
            onMouseDown={(event) => {
              event.preventDefault();
              take(one);
            }}
          >
            <code>{one.text}</code> <span class="soft">{one.meaning}</span>
          </div>
        ))}
      </div>
    </form>
  );
}

function newestCalls(): readonly Summary[] {
  const list = rows.peek();
  return Array.from({ length: Math.min(LOOKED_AT, list.length()) }, (_, i) => list.at(i)).filter(
    (call) => call !== undefined,
  );
}

type Suggestion = { readonly text: string; readonly meaning: string };

const MOST = 8;
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  status: ['2*', '4*', '5*'],
  severity: ['must', 'should', 'note'],
  listener: ['api', 'psu', 'callback'],
  judges: ['tpp', 'aspsp'],
  source: ['rule', 'emulator', 'upstream', 'replay', 'gateway'],
};

const SEEN: Readonly<Record<string, (call: Summary) => readonly (string | null)[]>> = {
  status: ({ status }) => [status === null ? null : String(status)],
  method: ({ method }) => [method.toLowerCase()],
  operation: ({ operation }) => [operation],
  source: ({ source }) => [source],
  tpp: ({ tpp }) => [tpp],
  fault: ({ fault }) => [fault],
  rule: ({ findings }) => findings.map(({ rule }) => rule),
  consent: ({ resources }) => resources.map(({ kind, id }) => (kind === 'consent' ? id : null)),
  payment: ({ resources }) => resources.map(({ kind, id }) => (kind === 'payment' ? id : null)),
};

const lastWord = (text: string): string => text.split(/[\s()]/).at(-1) ?? '';

function suggestionsFor(word: string, calls: readonly Summary[]): readonly Suggestion[] {
  const [, sign = '', name = '', operator, value = ''] = /^(-?)([\w-]*)(?:([:=]|!=)(.*))?$/.exec(word) ?? [];
  if (operator === undefined) {
    const saved = Object.entries(savedSearches.value)
      .filter(([known]) => sign === '' && known.toLowerCase().startsWith(word.toLowerCase()))
      .map(([known, q]) => ({ text: q, meaning: `saved: ${known}` }));
    const fields = ABOUT.fields
      .filter(([field]) => field.startsWith(name.toLowerCase()))
      .map(([field, meaning, example]) => ({
        text: `${sign}${field}:`,
        meaning: `${meaning}, as in ${example}`,
      }));
    return [...saved.slice(-3), ...fields].slice(0, MOST);
  }
  const read = SEEN[name];
  const seen = read === undefined ? [] : calls.flatMap(read).filter((one) => one !== null);
  const [, , example = ''] = ABOUT.fields.find(([field]) => field === name) ?? [];
  const ofExample = /^[\w-]+:([^\s()"]+)$/.exec(example)?.[1];
  return [...new Set([...seen, ...(KNOWN[name] ?? []), ...(ofExample === undefined ? [] : [ofExample])])]
    .filter(
      (one) => !/[\s()"]/.test(one) && one !== value && one.toLowerCase().startsWith(value.toLowerCase()),
    )
    .slice(0, MOST)
    .map((one) => ({ text: `${sign}${name}${operator}${one} `, meaning: '' }));
}
