/** Reads JUnit XML strictly: anything that is not well-formed, or not of the dialect that CI systems read, throws. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (/[<]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`not escaped: ${text}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for them.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(text))
    throw new Error('characters that XML may not hold');
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(code)),
  );
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  const rest = text.replace(/\s+([\w:-]+)="([^"]*)"/g, (_, name: string, value: string) => {
    if (Object.hasOwn(attributes, name)) throw new Error(`${name} stands twice`);
    attributes[name] = unescaped(value);
    return '';
  });
  if (rest.trim() !== '') throw new Error(`no attribute: ${rest}`);
  return attributes;
}

export function readXml(xml: string): Element {
  const declared = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml);
  if (declared === null) throw new Error('no XML declaration');
  const root = { name: '', attributes: {}, children: [] as Element[], text: '' };
  const open = [root];
  const token = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/gy;
  token.lastIndex = declared[0].length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`no XML at ${at}: ${xml.slice(at, at + 60)}`);
    const [, closes, name = '', attributes = '', empty, text] = match;
    const parent = open.at(-1);
    if (parent === undefined) throw new Error('too much is closed');
    if (text !== undefined) parent.text += unescaped(text);
    else if (closes === '/') {
      if (parent.name !== name) throw new Error(`${name} closes ${parent.name}`);
      open.pop();
    } else {
      const element = { name, attributes: readAttributes(attributes), children: [] as Element[], text: '' };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [top] = root.children;
  if (open.length !== 1 || root.children.length !== 1 || top === undefined) throw new Error('not one root');
  return top;
}

export interface TestCase {
  readonly rule: string;
  readonly classname: string;
  readonly result: 'passed' | 'failure' | 'skipped';
  readonly message: string;
  readonly text: string;
}

/** What may stand where, after the XSD of Jenkins' xUnit plugin. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['testsuite'],
  testsuite: ['properties', 'testcase'],
  properties: ['property'],
  property: [],
  testcase: ['failure', 'skipped', 'system-out'],
  failure: [],
  skipped: [],
  'system-out': [],
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['name', 'tests', 'failures', 'errors', 'skipped'],
  testsuite: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'],
  property: ['name', 'value'],
  testcase: ['name', 'classname', 'time'],
  failure: ['message', 'type'],
  skipped: ['message'],
};

function checkDialect({ name, attributes, children }: Element): void {
  const allowed = CHILDREN[name];
  if (allowed === undefined) throw new Error(`${name} is no element of JUnit`);
  for (const required of REQUIRED[name] ?? [])
    if (!Object.hasOwn(attributes, required)) throw new Error(`${name} lacks ${required}`);
  for (const child of children) {
    if (!allowed.includes(child.name)) throw new Error(`${child.name} stands in ${name}`);
    checkDialect(child);
  }
}

export function readJunit(xml: string): TestCase[] {
  const top = readXml(xml);
  if (top.name !== 'testsuites') throw new Error(`${top.name} is the root`);
  checkDialect(top);
  const suites = top.children.map((suite) => {
    const cases = suite.children.filter(({ name }) => name === 'testcase').map(readCase);
    checkTotals(suite, cases);
    return cases;
  });
  const all = suites.flat();
  checkTotals(top, all);
  return all;
}

function checkTotals({ name, attributes }: Element, cases: readonly TestCase[]): void {
  const count = (result: TestCase['result']) => cases.filter((one) => one.result === result).length;
  const told = [attributes.tests, attributes.failures, attributes.skipped].map(Number);
  const counted = [cases.length, count('failure'), count('skipped')];
  if (told.join() !== counted.join()) throw new Error(`${name} says ${told}, holds ${counted}`);
}

function readCase({ attributes, children }: Element): TestCase {
  const inside = children.find(({ name }) => name === 'failure' || name === 'skipped');
  const result = inside === undefined ? 'passed' : (inside.name as 'failure' | 'skipped');
  return {
    rule: attributes.name?.split(':', 1)[0] ?? '',
    classname: attributes.classname ?? '',
    result,
    message: inside?.attributes.message ?? '',
    text: inside?.text ?? '',
  };
}
