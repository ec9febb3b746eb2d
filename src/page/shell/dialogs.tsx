/** The dialog that is open. */
import { act } from '../api.js';
import { ResendDialog } from '../exchange/resend.js';
import { WaiveDialog } from '../exchange/waive.js';
import { refreshInForce, session } from '../state/in-force.js';
import { doing } from '../state/said.js';
import { Row } from '../view.js';
import { Dialog, dialog } from './dialog.js';

export function Dialogs() {
  const open = dialog.value;
  const close = () => {
    if (dialog.value === open) dialog.value = null;
  };
  if (open === null) return null;
  switch (open.kind) {
    case 'keys':
      return <KeysDialog onClose={close} />;
    case 'mark':
      return <MarkDialog onClose={close} />;
    case 'session':
      return <SessionDialog onClose={close} />;
    case 'resend':
      return <ResendDialog exchange={open.exchange} onClose={close} />;
    case 'waive':
      return <WaiveDialog exchange={open.exchange} finding={open.finding} onClose={close} />;
  }
}

function MarkDialog({ onClose }: { onClose: () => void }) {
  const set = async (form: FormData) => {
    const path = `/api/sessions/${encodeURIComponent(session.value ?? '')}/mark`;
    await doing(() => act('POST', path, { text: String(form.get('text') ?? '') }), 'The mark is set.');
    refreshInForce();
  };
  return (
    <Dialog title="Set a mark" verb="Set it" onSend={set} onClose={onClose}>
      <p class="soft">
        A line in the list of calls, from which findings are counted. It stays in the session.
      </p>
      <label>
        What happens now
        <input name="text" maxLength={500} autocomplete="off" />
      </label>
    </Dialog>
  );
}

function SessionDialog({ onClose }: { onClose: () => void }) {
  const begin = async (form: FormData) => {
    const name = String(form.get('name') ?? '');
    await doing(
      () => act<{ session: string }>('POST', '/api/sessions', name === '' ? {} : { name }),
      (answer) => `Calls go to the session ${answer.session} now.`,
    );
    refreshInForce();
  };
  return (
    <Dialog title="New session" verb="Go on in it" onSend={begin} onClose={onClose}>
      <p class="soft">What was recorded stays; calls that name no session go to the new one.</p>
      <label>
        Name
        <input name="name" maxLength={64} autocomplete="off" placeholder="by its date" />
      </label>
    </Dialog>
  );
}

const KEYS = [
  ['/', 'search'],
  ['j k, ↓ ↑', 'next and previous call'],
  ['Home, End', 'to the newest call, and to the oldest'],
  ['Enter', 'open the call'],
  ['Esc', 'close it, or leave the search'],
  ['n', 'show the newest calls'],
  ['o', 'the open call on a page of its own'],
  ['p', 'pause, and go on'],
  ['m', 'set a mark'],
  ['?', 'this list'],
] as const;

function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="kv">
        {KEYS.map(([key, what]) => (
          <Row key={key} term={<kbd>{key}</kbd>}>
            {what}
          </Row>
        ))}
      </dl>
    </Dialog>
  );
}
