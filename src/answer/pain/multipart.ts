/** Reads multipart/form-data of texts: a pain.001 with the JSON of its standing order beside it. */

export interface FormPart {
  readonly name: string;
  readonly text: string;
}

/** pain.001 and JSON; more is not what it says. */
const MOST_PARTS = 10;
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /^content-disposition:[^\r\n]*;\s*name="?([^";\r\n]{1,100})"?/im;

/** undefined: it does not read as its media type says. */
export function readMultipart(contentType: string, text: string): readonly FormPart[] | undefined {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const [, ...sections] = `\r\n${text}`.split(`\n--${boundary}`);
  const last = sections.pop();
  if (last?.startsWith('--') !== true || sections.length === 0 || sections.length > MOST_PARTS)
    return undefined;
  const parts = sections.map(readPart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function readPart(section: string): FormPart | undefined {
  const [, head = '', body] = /^[ \t]*\r?\n((?:[^\r\n]+\r?\n)+)\r?\n([\s\S]*)$/.exec(section) ?? [];
  const name = NAME.exec(head)?.[1];
  return name === undefined || body === undefined ? undefined : { name, text: body.replace(/\r$/, '') };
}
