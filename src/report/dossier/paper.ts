/** The PDF/A-3a file: pages with their tags, metadata, attachments, and the place for a seal. Nothing in it depends on when or where it is made. */
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import { digestOf } from '../statement.js';
import { PAPER } from './layout.js';
import type { Measure, Weight } from './letters.js';

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly relationship: 'Source' | 'Alternative' | 'Data' | 'Supplement';
  /** Compressed, because nothing else is needed of it: a report may take 20 MB. */
  readonly packed: Uint8Array;
  readonly size: number;
  readonly sha256: string;
}

export function attach(
  about: Pick<Attachment, 'name' | 'type' | 'description' | 'relationship'>,
  content: string | Uint8Array,
): Attachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { ...about, packed: deflateSync(bytes), size: bytes.length, sha256: digestOf(bytes) };
}

interface PaperParts {
  readonly title: string;
  readonly subject: string;
  /** `Sandgate 1.0.0`. */
  readonly producer: string;
  /** ISO 8601; null leaves all dates out. */
  readonly madeAt: string | null;
  readonly attachments: readonly Attachment[];
  /** Epoch ms, in whole seconds; null makes no place for a seal. */
  readonly sealedAt: number | null;
}

const FONTS: Readonly<Record<Weight, string>> = {
  regular: '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  semibold: '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
};

/** Bytes of a signature with its certificates and its time stamp. */
const SEAL_BYTES = 20_480;
/** Written where the place of the seal is not known yet; as many digits as a place in a file may have. */
const UNKNOWN = 9_999_999_999;

export async function openPaper(parts: PaperParts) {
  const { default: Document } = await import('pdfkit');
  const { resolve } = createRequire(import.meta.url);
  const { title, producer, subject, madeAt } = parts;
  // Streams of pages and fonts stay as they are: compressed bytes differ from one machine to another.
  const paper = new Document({
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    compress: false,
    autoFirstPage: false,
    // None: fonts are opened by their weights, and one that is open under another name would be opened each time.
    font: '',
    info: { Title: title, Subject: subject, Creator: 'Sandgate', Producer: producer },
  });
  if (madeAt === null) delete paper.info.CreationDate;
  else paper.info.CreationDate = new Date(madeAt);
  Reflect.set(paper, '_addInfo', () => paper.appendXML(xmpOf(parts)));
  Reflect.set(paper, '_id', idOf(parts));
  for (const [weight, file] of Object.entries(FONTS)) paper.registerFont(weight, resolve(file));
  const root = paper.struct('Document');
  paper.addStructure(root);
  return { paper, root, measure: measureOf(paper), close: () => closePaper(paper, root, parts) };
}

export function addPage(paper: PDFKit.PDFDocument): void {
  // Without margins: every line has its place, and none begins a page.
  paper.addPage({ size: [PAPER.width, PAPER.height], margin: 0 });
}

function measureOf(paper: PDFKit.PDFDocument): Measure {
  paper.font('regular');
  const { font } = Reflect.get(paper, '_font');
  /** Widths at size 1, because most words come again. */
  const widths: Record<Weight, Map<string, number>> = { regular: new Map(), semibold: new Map() };
  return {
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    width: (text, size, weight) => {
      const known = widths[weight];
      const width = known.get(text) ?? paper.font(weight).fontSize(1).widthOfString(text);
      known.set(text, width);
      return width * size;
    },
  };
}

/** The same content has the same id. */
const idOf = ({ attachments, title }: PaperParts): Buffer =>
  Buffer.from(
    digestOf(Buffer.from([title, ...attachments.map(({ sha256 }) => sha256)].join('\n'))),
    'hex',
  ).subarray(0, 16);

async function closePaper(
  paper: PDFKit.PDFDocument,
  root: PDFKit.PDFStructureElement,
  parts: PaperParts,
): Promise<Buffer> {
  const { attachments, madeAt, sealedAt } = parts;
  root.end();
  const date = madeAt === null ? {} : { CreationDate: new Date(madeAt), ModDate: new Date(madeAt) };
  for (const attachment of attachments) addAttachment(paper, attachment, date);
  if (sealedAt !== null) addSealField(paper, new Date(sealedAt));
  const chunks: Uint8Array[] = [];
  paper.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve) => paper.on('end', resolve));
  paper.end();
  await ended;
  return Buffer.concat(chunks);
}

/** `file` of pdfkit would keep four copies of it. */
function addAttachment(paper: PDFKit.PDFDocument, one: Attachment, date: object): void {
  const { name, type, description, relationship, packed, size } = one;
  const content = paper.ref({
    Type: 'EmbeddedFile',
    Subtype: type.replace('/', '#2F'),
    Params: { Size: size, ...date },
    Filter: 'FlateDecode',
  });
  content.end(packed);
  // A String object is written as text, a plain one as a name.
  const [file, words] = [Object(name), Object(description)];
  const spec = paper.ref({
    ...{ Type: 'Filespec', AFRelationship: relationship, F: file, EF: { F: content } },
    ...{ UF: file, Desc: words },
  });
  spec.end(undefined);
  paper.addNamedEmbeddedFile(name, spec);
  const { data } = Reflect.get(paper, '_root');
  data.AF = [...(data.AF ?? []), spec];
}

/** An invisible field on the last page: what it says stands there in words. */
function addSealField(paper: PDFKit.PDFDocument, sealedAt: Date): void {
  const signature = paper.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, UNKNOWN, UNKNOWN, UNKNOWN],
    Contents: new Uint8Array(SEAL_BYTES),
    M: sealedAt,
  });
  signature.end(undefined);
  const page = paper.page;
  const field = paper.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: Object('Seal'),
    V: signature,
    F: 132,
    Rect: [0, 0, 0, 0],
    P: page.dictionary,
  });
  field.end(undefined);
  Reflect.get(page, 'annotations').push(field);
  const { data } = Reflect.get(paper, '_root');
  data.AcroForm = { Fields: [field], SigFlags: 3 };
  data.Extensions = { ESIC: { BaseVersion: '1.7', ExtensionLevel: 2 } };
  // It would look for fonts of fields to fill in.
  paper.endAcroForm = () => paper;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

function xmpOf({ title, subject, producer, madeAt }: PaperParts): string {
  const about = (names: string, inner: string) =>
    `<rdf:Description rdf:about="" ${names}>${inner}</rdf:Description>\n`;
  const alternatives = (name: string, text: string) =>
    `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt></dc:${name}>`;
  const created = madeAt === null ? '' : `<xmp:CreateDate>${madeAt.slice(0, 19)}Z</xmp:CreateDate>`;
  return [
    about(
      'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
      `${created}<xmp:CreatorTool>Sandgate</xmp:CreatorTool>`,
    ),
    about(
      'xmlns:dc="http://purl.org/dc/elements/1.1/"',
      `${alternatives('title', title)}${alternatives('description', subject)}<dc:language><rdf:Bag><rdf:li>en-GB</rdf:li></rdf:Bag></dc:language>`,
    ),
    about('xmlns:pdf="http://ns.adobe.com/pdf/1.3/"', `<pdf:Producer>${escaped(producer)}</pdf:Producer>`),
  ].join('');
}
