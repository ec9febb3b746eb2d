/** Shows a request or an answer: first line, header fields, body. */
import type { Body, Content, HeaderList } from '../../exchange/index.js';
import { bytes, Nothing, visible } from '../../report/index.js';

/** A page is to be read; the recording has the whole. */
const LONGEST = 50_000;

interface MessageParts {
  readonly title: string;
  readonly start: string;
  readonly message: { readonly headers: HeaderList; readonly body: Body | null };
  readonly content: Content;
}

export function Message({ title, start, message: { headers, body }, content }: MessageParts) {
  return (
    <div>
      <h2>{title}</h2>
      <p class="mono">{visible(start)}</p>
      {headers.length === 0 ? null : (
        <table class="headers">
          <caption class="hidden">Header fields of the {title.toLowerCase()}</caption>
          <tbody>
            {headers.map(([name, value], i) => (
              <tr key={`${i} ${name}`}>
                <th scope="row">{visible(name)}</th>
                <td>
                  <bdi>{visible(value)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <BodyText body={body} content={content} />
    </div>
  );
}

function BodyText({ body, content }: { body: Body | null; content: Content }) {
  if (body === null || body.size === 0) return <Nothing>No body.</Nothing>;
  if (body.base64 === true) return <Nothing>A body of {bytes(body.size)} that is no text.</Nothing>;
  const text =
    content.kind === 'json' && body.text.length < LONGEST
      ? JSON.stringify(content.value, null, 2)
      : body.text;
  return (
    <>
      <pre class="body">{visible(text.slice(0, LONGEST))}</pre>
      {body.truncated === true || text.length > LONGEST ? (
        <p class="omitted">Only the first part of {bytes(body.size)} is shown.</p>
      ) : null}
    </>
  );
}
