/** A dialog over the page, with a form that its one button sends; and which dialog is open. */

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';

type OpenDialog =
  | { readonly kind: 'keys' }
  | { readonly kind: 'mark' }
  | { readonly kind: 'session' }
  | { readonly kind: 'resend'; readonly exchange: Detail }
  | { readonly kind: 'waive'; readonly exchange: Detail; readonly finding: Detail['findings'][number] };

export const dialog = signal<OpenDialog | null>(null);

interface DialogParts {
  readonly title: string;
  readonly verb?: string;
  readonly onSend?: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, verb, onSend, onClose, children }: DialogParts) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSend?.(new FormData(event.currentTarget));
          box.current?.close();
        }}
      >
        <h2 id="dialog-title">{title}</h2>
        {children}
        <p class="acts">
          {verb === undefined ? null : (
            <button type="submit" class="go">
              {verb}
            </button>
          )}
          <button type="button" onClick={() => box.current?.close()}>
            {verb === undefined ? 'Close' : 'Cancel'}
          </button>
        </p>
      </form>
    </dialog>
  );
}
