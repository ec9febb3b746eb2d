/** A dialog over the page, with a form that its one button sends; and the one that is open. */

import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export const dialog = signal<VNode | null>(null);

interface DialogParts {
  readonly title: string;
  readonly verb?: string;
  readonly onSend?: (form: FormData) => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, verb, onSend, children }: DialogParts) {
  const box = useRef<HTMLDialogElement>(null);
  const own = useRef(dialog.peek());
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onClose = () => {
    if (dialog.peek() === own.current) dialog.value = null;
  };
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onClose={onClose}>
      <form
        method="dialog"
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
        }}
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
