/** What the keys do. */
import { Row } from '../kv.js';
import { Dialog } from './dialog.js';

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

export function KeysDialog({ onClose }: { onClose: () => void }) {
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
