/** The layers of `src/` and what may stand where; each prohibition with the reason for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** From the lowest to the highest: a layer imports only layers above it in this list. */
const LAYERS = [
  'spec',
  'certificate',
  'exchange',
  'ledger',
  'bank',
  'rules',
  'files',
  'xml',
  'trust',
  'outgoing',
  'revocation',
  'answer',
  'store',
  'evidence',
  'recorder',
  'weather',
  'telemetry',
  'gateway',
  'report',
  'admin',
  'page',
  'app',
  'rehearsal',
  'testing',
  'cli',
] as const;

/** Where a third-party package may appear: layers, folders or files below `src/`. */
const PACKAGES: Readonly<Record<string, { readonly in: readonly string[]; readonly because: string }>> = {
  zod: {
    in: ['spec/', 'certificate/', 'exchange/', 'weather/', 'report/', 'admin/', 'app/', 'rehearsal/'],
    because:
      'schemas belong to the tables of the standard, to file formats, to settings and to the admin API',
  },
  'zod-openapi': {
    in: ['admin/', 'app/openapi/'],
    because: 'the admin API and the interface are described out of their tables',
  },
  'lru-cache': { in: ['exchange/'], because: 'one cache serves all layers' },
  'node-forge': { in: ['certificate/'], because: 'raw ASN.1 is read and written in one layer' },
  undici: { in: ['answer/upstream/'], because: 'only the upstream answerer calls a bank' },
  'http-proxy': { in: ['answer/upstream/'], because: 'only the upstream answerer streams untouched bytes' },
  'better-sqlite3': { in: ['store/sqlite/'], because: 'another database must be a driver, not a rewrite' },
  pg: { in: ['store/postgres/'], because: 'another database must be a driver, not a rewrite' },
  '@xmldom/xmldom': {
    in: ['xml/', 'answer/pain/', 'trust/'],
    because: 'one reader holds XML of strangers within limits',
  },
  fastify: { in: ['gateway/', 'admin/'], because: 'the framework must not leak into what it serves' },
  preact: { in: ['report/', 'admin/', 'page/'], because: 'pages are rendered where they are shown' },
  'preact-render-to-string': {
    in: ['report/', 'admin/'],
    because: 'pages are rendered where they are shown',
  },
  '@preact/signals': { in: ['page/'], because: 'what a server renders does not change' },
  'prom-client': { in: ['admin/'], because: 'metrics are a view of the gateway, not a part of a call’s way' },
  jose: { in: ['evidence/'], because: 'what is signed, and by whom, is one concern' },
  pkijs: {
    in: ['evidence/', 'revocation/'],
    because: 'time stamps and seals are made and checked in one layer, OCSP is spoken in one',
  },
  asn1js: {
    in: ['evidence/', 'revocation/'],
    because: 'time stamps and seals are made and checked in one layer, OCSP is spoken in one',
  },
  pdfkit: { in: ['report/dossier/'], because: 'one format is written in PDF' },
  pino: { in: ['app/'], because: 'other layers hand on what happened; what is logged is decided once' },
  commander: { in: ['cli/'], because: 'nothing below the command line knows of flags' },
  parse5: { in: ['rehearsal/'], because: 'only a rehearsal reads the pages of others' },
  yaml: { in: ['app/bank-profile/'], because: 'only the OpenAPI documents of banks come in YAML' },
  'tough-cookie': { in: ['rehearsal/drive/'], because: 'only the driver of a rehearsal acts as a browser' },
  'playwright-core': {
    in: ['rehearsal/drive/'],
    because: 'a browser is driven in one place, and only if it is there',
  },
  vitest: { in: ['testing/'], because: 'the program must run without its test runner' },
};

const PURE_LAYERS = new Set(['spec', 'certificate', 'exchange', 'ledger', 'bank', 'rules']);
const PURE = {
  allowed: new Set(['node:buffer', 'node:crypto', 'node:net', 'node:zlib', 'node:util']),
  because: 'layers 1 to 6 work alike live, offline and in tests: no file, socket or timer',
};
/** Of node:net the pure layers may take what only reads text. */
const PURE_OF_NET = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList']);

const IMPURE = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    what: 'the clock of the machine',
    because: 'time is a parameter: tests move it, and offline verdicts equal live ones',
  },
  {
    pattern: /\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bMath\.random\b|\bgetRandomValues\b/,
    what: 'chance',
    because: 'ids and secrets come from one source that tests replace',
  },
] as const;
const IMPURE_ALLOWED = [
  { file: 'app/', because: 'it puts the real clock and chance in' },
  { file: 'cli/program.ts', because: 'it puts the real clock in' },
  { file: 'page/', because: 'it shows a browser what happens now' },
  { file: 'store/sqlite/', because: 'a new store makes its own secret' },
  { file: 'store/key-file.ts', because: 'a new store makes its own secret' },
  { file: 'store/vault.ts', because: 'keys and nonces of contents are secret, and used once' },
  {
    file: 'store/postgres/',
    because: 'a new store names itself; the order over all its writers is that of time',
  },
];

const TIMERS = {
  pattern: /\b(?:setTimeout|setInterval|setImmediate|process\.nextTick|queueMicrotask)\b/,
  because: PURE.because,
};

interface Import {
  readonly names: string;
  readonly from: string;
}
interface Source {
  /** Below `src/`, with slashes. */
  readonly file: string;
  readonly layer: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+([\w\s{},*$]*?)\s*from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((path) => {
    const file = path.split(sep).join('/');
    const code = withoutComments(readFileSync(join(SRC, path), 'utf8'));
    return { file, layer: file.split('/')[0] ?? '', code, imports: importsOf(code) };
  });

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
}

function importsOf(code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((m) => ({ names: m[1] ?? '', from: m[2] ?? m[3] ?? m[4] ?? '' }));
}

/** The file below `src/` that a relative import names. */
function targetOf(source: Source, from: string): string {
  return posix.normalize(posix.join(posix.dirname(source.file), from));
}

function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

/** One line for each breach; the test shows them all. */
function breaches(find: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => find(source).map((breach) => `src/${source.file}: ${breach}`));
}

describe('the layers', () => {
  it('are those of the table, each with an index', () => {
    const layers = [...new Set(sources.filter(({ file }) => file.includes('/')).map(({ layer }) => layer))];
    for (const layer of layers) {
      expect(LAYERS, `${layer}/ is no layer of the table`).toContain(layer);
      // Nothing imports a program.
      if (layer === 'cli' || layer === 'page') continue;
      const files = sources.map(({ file }) => file);
      expect(files, 'other layers see a layer through its index').toContain(`${layer}/index.ts`);
    }
    expect(sources.filter(({ file }) => !file.includes('/'))).toEqual([]);
  });

  it('import only layers above them, because what is below may change without them', () => {
    const rank = (layer: string) => LAYERS.indexOf(layer as (typeof LAYERS)[number]);
    expect(
      breaches((source) =>
        source.imports
          .filter(({ from }) => from.startsWith('.'))
          .map(({ from }) => targetOf(source, from).split('/')[0] ?? '')
          .filter((layer) => rank(layer) > rank(source.layer) || rank(layer) < 0)
          .map((layer) => `imports ${layer}/, which is no layer above it`),
      ),
    ).toEqual([]);
  });

  it('are entered by their index, or by that of a folder of theirs, because the rest is their own affair', () => {
    expect(
      breaches((source) =>
        source.imports
          .filter(({ from }) => from.startsWith('.'))
          .map(({ from }) => targetOf(source, from))
          .filter((target) => !target.startsWith(`${source.layer}/`))
          .filter((target) => !/^[a-z]+(?:\/[a-z-]+)?\/index\.js$/.test(target))
          .map((target) => `imports ${target} past the index`),
      ),
    ).toEqual([]);
  });
});

describe('the live page', () => {
  it('takes nothing but types from other layers, and nothing from Node, because a browser runs it', () => {
    expect(
      breaches((source) =>
        source.layer !== 'page'
          ? []
          : source.imports
              .filter(({ names, from }) =>
                from.startsWith('.')
                  ? !targetOf(source, from).startsWith('page/') && !names.startsWith('type ')
                  : from.startsWith('node:'),
              )
              .map(({ from }) => `imports ${from}`),
      ),
    ).toEqual([]);
  });
});

describe('third-party packages', () => {
  it('stand only where the table says', () => {
    const builtins = new Set(builtinModules);
    expect(
      breaches((source) =>
        source.imports
          .map(({ from }) => from)
          .filter((from) => !from.startsWith('.') && !from.startsWith('node:'))
          .flatMap((from) => {
            const name = packageOf(from);
            if (builtins.has(name)) return [`imports ${name} without node:`];
            const row = PACKAGES[name];
            if (row === undefined) return [`imports ${name}, which the table does not know`];
            const fits = row.in.some((place) => source.file.startsWith(place));
            return fits ? [] : [`imports ${name}, which is for ${row.in.join(', ')}: ${row.because}`];
          }),
      ),
    ).toEqual([]);
  });
});

describe('purity', () => {
  it(`holds in layers 1 to 6, because ${PURE.because}`, () => {
    const ofNet = ({ names, from }: Import) =>
      from !== 'node:net' ||
      names.match(/\w+/g)?.every((name) => PURE_OF_NET.has(name) || name === 'type') === true;
    expect(
      breaches((source) =>
        PURE_LAYERS.has(source.layer)
          ? [
              ...source.imports
                .filter((one) => one.from.startsWith('node:') && !(PURE.allowed.has(one.from) && ofNet(one)))
                .map(({ from }) => `imports ${from}`),
              ...(TIMERS.pattern.test(source.code) ? ['sets a timer'] : []),
            ]
          : [],
      ),
    ).toEqual([]);
  });

  for (const { pattern, what, because } of IMPURE) {
    it(`keeps ${what} out, because ${because}`, () => {
      expect(
        breaches((source) =>
          !IMPURE_ALLOWED.some(({ file }) => source.file.startsWith(file)) && pattern.test(source.code)
            ? [`asks for ${what}: ${pattern.exec(source.code)?.[0]}`]
            : [],
        ),
      ).toEqual([]);
    });
  }
});

/** Both may be waited for for ever: the garbage collector takes what would have ended them (nodejs/node#55428, #57736). */
const FORGETFUL = /(?<![.\w])fetch\(|\bAbortSignal\.any\([^)]*\bAbortSignal\.timeout\b/;
const MAY_FORGET = [
  { file: 'page/', because: 'browsers do not' },
  { file: 'report/code.ts', because: 'it writes code that others run' },
];

describe('waiting', () => {
  it('ends when its signal says so: nothing uses fetch, or a time limit within another signal', () => {
    expect(
      breaches((source) =>
        !MAY_FORGET.some(({ file }) => source.file.startsWith(file)) && FORGETFUL.test(source.code)
          ? [`may wait for ever: ${FORGETFUL.exec(source.code)?.[0]}`]
          : [],
      ),
    ).toEqual([]);
  });
});

/** Imports that open requests: by their names, or with the whole of the module. */
const OPENS = /^(?!type\b|\{)|[,{]\s*(?:request|get)\b/;

describe('requests to others', () => {
  it('are opened in one layer, because Node tells nobody of an answer that switches protocols', () => {
    expect(
      breaches(({ layer, imports }) =>
        imports
          .filter(
            ({ from, names }) => layer !== 'outgoing' && /^node:https?$/.test(from) && OPENS.test(names),
          )
          .map(({ from, names }) => `imports ${names} of ${from}`),
      ),
    ).toEqual([]);
  });
});

/** What a module keeps from one call to the next: a variable of its own, or a collection that it writes to. */
const VARIABLE = /^(?:export )?let\s+(\w+)/gm;
const COLLECTION = /^(?:export )?const\s+(\w+)[^=\n]*=\s*new (?:Weak)?(?:Map|Set)\b/gm;
const MADE = /^(?:export )?const\s+(\w+)[^=\n]*=\s*create(?:\w*Cache|\w*Memory|Judge)\b/gm;
const isWritten = (code: string, name: string): boolean =>
  new RegExp(`\\b${name}\\s*\\.\\s*(?:set|add|delete|clear)\\(`).test(code);

function memoriesOf({ code }: Source): string[] {
  const names = (pattern: RegExp) => [...code.matchAll(pattern)].map((found) => found[1] ?? '');
  return [...names(VARIABLE), ...names(MADE), ...names(COLLECTION).filter((name) => isWritten(code, name))];
}

/** What is read of a plain value, kept with it or for its like: bounded, and the same whoever asks. */
const REMEMBERED: Readonly<Record<string, string>> = {
  'exchange/answer-members.ts: last': 'of the one content that rules and ledger ask about in turn',
  'exchange/content.ts: kept': 'for as long as the content lives that comes again',
  'exchange/content.ts: readJson':
    'a megabyte of texts: equal bodies share one content, by which judges know them',
  'exchange/stored/pack.ts: references': 'for as long as the facts live that a connection shares',
  'spec/dialect/dialect.ts: made': 'for as long as a profile lives, what follows from it',
};

describe('memory', () => {
  it('is the judge’s and the recorder’s: modules below them keep nothing, because what they keep nobody can drop', () => {
    const found = sources
      .filter(({ layer }) => PURE_LAYERS.has(layer))
      .flatMap((source) => memoriesOf(source).map((name) => `${source.file}: ${name}`));
    expect(found.sort()).toEqual(Object.keys(REMEMBERED));
  });

  it('is seen in all its forms', () => {
    const found = (code: string) => memoriesOf({ file: '', layer: 'rules', code, imports: [] });
    expect(found("let last = '';")).toEqual(['last']);
    expect(found('const zones = new Map<string, Zone>();\nzones.set(a, b);')).toEqual(['zones']);
    expect(found('const known: X = new WeakMap<object, Y>();\nknown.set(a, b);')).toEqual(['known']);
    expect(found('const digestOf = createTextMemory(hash);')).toEqual(['digestOf']);
    expect(found("const CODES: ReadonlySet<string> = new Set(['a']);\nCODES.has(a);")).toEqual([]);
    expect(found('function f() {\n  let x = 1;\n  const y = new Map();\n  y.set(x, x);\n}')).toEqual([]);
  });
});

/** Texts hold JSON, JSON holds texts, and either may be coded: these need each other. */
const MUTUAL = new Set([
  'exchange/redaction/redact-json.js',
  'exchange/redaction/redact-text.js',
  'exchange/redaction/redact-hidden.js',
]);

describe('files', () => {
  it('form no circle, not even of types, because who reads one file of a circle has to read them all', () => {
    const imported = new Map(
      sources.map((source) => [
        source.file.replace(/\.tsx?$/, '.js'),
        source.imports.filter(({ from }) => from.startsWith('.')).map(({ from }) => targetOf(source, from)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      const start = way.indexOf(file);
      const circle = start < 0 ? [] : way.slice(start);
      if (circle.some((one) => !MUTUAL.has(one))) circles.push([...circle, file].join(' > '));
      if (start >= 0 || done.has(file)) return;
      for (const next of imported.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of imported.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });
});

/** Regular expressions for nothing but a run of characters at the end of a text. */
const RUN_AT_END = /(?<!\\)\/(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\n\\[*])[+*]\$\/[a-z]*/g;
const RUNS_ALLOWED: Readonly<Record<string, string>> = {
  'answer/replay/call-fields.ts: /0+$/': 'of thirty digits at most',
  'app/rerun/target.ts: /\\/+$/': 'of an address that the user types',
};

describe('regular expressions', () => {
  it('do not look for a run at the end, because each place in a run elsewhere begins the search again', () => {
    const found = sources.flatMap(({ file, code }) =>
      [...code.matchAll(RUN_AT_END)].map(([pattern]) => `${file}: ${pattern}`),
    );
    expect(found.sort()).toEqual(Object.keys(RUNS_ALLOWED).sort());
  });
});

describe('imports', () => {
  it('of own files end in .js, because Node resolves ESM as it is written', () => {
    expect(
      breaches((source) =>
        source.imports
          .filter(({ from }) => from.startsWith('.') && !/\.(?:js|json)$/.test(from))
          .map(({ from }) => `imports ${from}`),
      ),
    ).toEqual([]);
  });

  it('name what they want, because the build leaves out what nobody names', () => {
    expect(
      breaches(({ layer, imports, code }) => [
        ...(layer === 'page' ? [] : [...code.matchAll(/^import\s+['"][^'"]+['"]/gm)].map(([found]) => found)),
        // Of a namespace that a package exports all would be kept, of one that is imported what is used.
        ...imports
          .filter(({ names, from }) => from === 'zod' && names.includes('{'))
          .map(({ names }) => names),
      ]),
    ).toEqual([]);
  });

  it('lead to files that are there, because a regular expression reads them here', () => {
    const files = new Set(sources.map(({ file }) => file.replace(/\.tsx?$/, '.js')));
    const seen = sources.flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.') && from.endsWith('.js'))
        .map(({ from }) => targetOf(source, from)),
    );
    expect(seen.length).toBeGreaterThan(sources.length);
    expect(seen.filter((target) => !files.has(target))).toEqual([]);
  });
});

describe('the direction of an exchange', () => {
  it('is told in one place, because each listener that is named elsewhere is a question asked twice', () => {
    expect(
      breaches(({ file, code }) =>
        file !== 'exchange/exchange.ts' && /[!=]== 'callback'/.test(code) ? ['compares a listener'] : [],
      ),
    ).toEqual([]);
  });
});

describe('files', () => {
  it('begin with a sentence on what they are for, but for rules, which state it', () => {
    expect(
      breaches(({ file }) => {
        if (/^rules\/(?!checks\/)[a-z]+\//.test(file)) return [];
        const text = readFileSync(join(SRC, file), 'utf8').replace(/^#![^\n]*\n/, '');
        return text.startsWith('/** ') || text.startsWith('/**\n') ? [] : ['begins otherwise'];
      }),
    ).toEqual([]);
  });

  it('are named in kebab case', () => {
    expect(
      sources.map(({ file }) => file).filter((file) => !/^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.tsx?$/.test(file)),
    ).toEqual([]);
  });

  it('stand in no drawer: utils, helpers, common, shared', () => {
    const drawers = /(?:^|\/)(?:utils?|helpers?|common|shared|misc)(?:\/|\.tsx?$)/;
    expect(sources.map(({ file }) => file).filter((file) => drawers.test(file))).toEqual([]);
    expect(relative(dirname(SRC), SRC)).toBe('src');
  });
});

/** Assertions of a type; `as const` asserts nothing. Texts are taken out first: they may hold the same words. */
const CAST = /\bas (?:[A-Z{(["'`]|unknown|never|string|number|boolean|object|typeof|keyof|readonly)/g;
const castsIn = (code: string): number =>
  code
    .replace(/^(?:import|export) [^;]*? from /gm, '')
    .replace(/'(?:\\.|[^'\\\n])*'/g, "''")
    .match(CAST)?.length ?? 0;
/** Lower this number whenever casts go. Raise it never: a cast hides from the compiler what changes later. */
const MOST_CASTS = 634;

describe('casts', () => {
  it('become fewer, because what a cast asserts the compiler no longer checks', () => {
    const count = sources.reduce((sum, { code }) => sum + castsIn(code), 0);
    expect(count, 'Let a type follow, or check the value with a schema.').toBeLessThanOrEqual(MOST_CASTS);
  });

  it('are seen in all their forms, but for `as const` and names of imports', () => {
    expect(castsIn("f(x as Y, y as unknown as { z: 1 }, [a] as [B], c as 'd');")).toBe(5);
    expect(castsIn("const a = { b: 1 } as const satisfies C;\nimport { A as B } from './a.js';")).toBe(0);
    expect(castsIn("say('as Bob has it');")).toBe(0);
  });
});

/** A comment that begins so is half a sentence, or one that has to be read twice: the thing that it is about comes first. */
const FRAGMENT = /^\s*(?:\/\*\*|\/\/) (?:Of|As|Where|Those|That of|Told|What|Whoever)\b.*$/;
/** Lower this number whenever such comments go. */
const MOST_FRAGMENTS = 268;

describe('comments', () => {
  it('begin with their subject, not with Of, As, Where, Those, Told, What or Whoever', () => {
    const fragments = sources.flatMap(({ file }) =>
      readFileSync(join(SRC, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (FRAGMENT.test(line) ? [`src/${file}:${i + 1}: ${line.trim()}`] : [])),
    );
    expect(fragments.length, fragments.slice(0, 20).join('\n')).toBeLessThanOrEqual(MOST_FRAGMENTS);
  });
});
