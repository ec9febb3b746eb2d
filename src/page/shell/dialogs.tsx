/** The dialogs of the session: a mark, and a new one. */
import { act } from '../api.js';
import { refreshInForce, session } from '../state/in-force.js';
import { doing } from '../state/said.js';
import { Dialog } from './dialog.js';

export function MarkDialog() {
  const set = async (form: FormData) => {
    const path = `/api/sessions/${encodeURIComponent(session.value ?? '')}/mark`;
    await doing(() => act('POST', path, { text: String(form.get('text') ?? '') }), 'The mark is set.');
    refreshInForce();
  };
  return (
    <Dialog title="Set a mark" verb="Set mark" onSend={set}>
      <p class="soft">
        A mark is a line in the list of calls. Violated musts are counted from it. It stays in the session.
      </p>
      <label>
        What happens next
        <input name="text" maxLength={500} autocomplete="off" />
      </label>
    </Dialog>
  );
}

export function SessionDialog() {
  const begin = async (form: FormData) => {
    const name = String(form.get('name') ?? '');
    await doing(
      () => act<{ session: string }>('POST', '/api/sessions', name === '' ? {} : { name }),
      (answer) => `Calls now go to the session ${answer.session}.`,
    );
    refreshInForce();
  };
  return (
    <Dialog title="New session" verb="Start session" onSend={begin}>
      <p class="soft">
        Recorded calls stay in their session. From now on, calls that name no session go to the new one.
      </p>
      <label>
        Name
        <input name="name" maxLength={64} autocomplete="off" placeholder="today’s date" />
      </label>
    </Dialog>
  );
}
