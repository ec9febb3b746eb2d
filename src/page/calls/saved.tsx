/** Searches that are kept under a name, in this browser alone. */
import { signal } from '@preact/signals';
import { address } from '../address.js';
import { Dialog, dialog } from '../shell/dialog.js';

type Saved = Readonly<Record<string, string>>;

const KEY = 'sandgate-searches';
const MOST = 50;

function remembered(): Saved {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(kept ?? {}).filter(([, q]) => typeof q === 'string');
    return Object.fromEntries(entries.slice(-MOST));
  } catch {
    return {};
  }
}

export const savedSearches = signal<Saved>(remembered());

function keep(next: Saved): void {
  savedSearches.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // They last as long as the page where the browser keeps nothing.
  }
}

function SavedDialog({ use }: { use: (q: string) => void }) {
  const { q } = address.value;
  const save = (form: FormData) => {
    const name = String(form.get('name')).trim();
    if (name === '' || q === '') return;
    const { [name]: _, ...rest } = savedSearches.value;
    keep(Object.fromEntries([...Object.entries(rest).slice(1 - MOST), [name, q]]));
  };
  const names = Object.keys(savedSearches.value);
  return (
    <Dialog title="Saved searches" {...(q === '' ? {} : { verb: 'Save', onSend: save })}>
      {q === '' ? null : (
        <label>
          Name of <code>{q}</code>
          <input name="name" required maxLength={60} autocomplete="off" value={q.slice(0, 60)} />
        </label>
      )}
      {names.length === 0 ? <p class="soft">None is saved yet.</p> : null}
      <ul class="mends">
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => {
                dialog.value = null;
                use(savedSearches.value[name] ?? '');
              }}
            >
              {name}
            </button>{' '}
            <code>{savedSearches.value[name]}</code>{' '}
            <button
              type="button"
              class="icon"
              aria-label={`Delete ${name}`}
              onClick={() => {
                const { [name]: _, ...rest } = savedSearches.value;
                keep(rest);
              }}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** `use` takes the search that is chosen. */
export const openSaved = (use: (q: string) => void): void => {
  dialog.value = <SavedDialog use={use} />;
};
