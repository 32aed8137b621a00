// What ctags calls a kind, and what an outline may call it; what of ctags's findings is no declaration of a file's outline, and why.
// Decides by what ctags says and the text of the line alone, never by what the outline found.

const made = (tag) => /^(__anon|Anonymous(Function|Class)|anonymous)|^<(anonymous|lambda)>$/.test(tag.name) && 'a name that ctags made up for something without one';
const isIn = (tag, ...kinds) => kinds.includes(tag.scopeKind);
const isIndented = (line) => /^\s/.test(line);

const LOCAL = 'a variable of a function: nobody else can name it, and outlines leave function bodies out';
const WITHIN = 'declared in the body of a function, which outlines leave out';
const MISREAD = 'no declaration: ctags misreads the line';
const IMPORTED = 'the name that an import brings in: the outline has the import as one line';

/**
 * `ctags`: its name for the language. `kinds`: letters of kinds that it leaves out unless told. `same`: its kinds, each with those of an outline that
 * mean it. `leftOut(tag, line)`: why a finding is not compared, if so.
 */
export const LANGUAGES = {
  bash: {
    ctags: 'Sh',
    same: { function: ['function'], alias: ['variable', 'constant', 'function'] },
    leftOut: (tag) => tag.kind === 'heredoc' ? 'the end mark of a text, which declares nothing'
      : /[^()]=$/.test(tag.name) ? MISREAD
      : tag.kind === 'script' && 'a file that is run here, not declared',
  },
  c: {
    ctags: 'C',
    // Headers hold little but prototypes.
    kinds: ['p', 'x'],
    same: {
      enum: ['enum'], enumerator: ['constant', 'member'], externvar: ['variable'], function: ['function'], macro: ['macro'], member: ['field', 'member'],
      prototype: ['function'], struct: ['struct'], typedef: ['type'], union: ['union'], variable: ['variable', 'constant'],
    },
    // A struct of C has no functions: `BIT(name);` is a macro that makes a field.
    leftOut: (tag) => isIn(tag, 'function') ? WITHIN : tag.kind === 'prototype' && isIn(tag, 'struct') && MISREAD,
  },
  cpp: {
    ctags: 'C++',
    kinds: ['p', 'x', 'A'],
    same: {
      alias: ['type'], class: ['class'], enum: ['enum'], enumerator: ['constant', 'member'], externvar: ['variable'],
      function: ['function', 'method', 'constructor', 'destructor'], macro: ['macro'], member: ['field', 'member'], namespace: ['namespace'],
      prototype: ['function', 'method', 'constructor', 'destructor'], struct: ['struct'], typedef: ['type'], union: ['union'],
      variable: ['variable', 'constant', 'field'],
    },
    // `Mutex mutex GUARDED_BY(other);` is a field, and is not found as one.
    leftOut: (tag) => isIn(tag, 'function') ? WITHIN : tag.kind === 'prototype' && tag.name === 'GUARDED_BY' && MISREAD,
  },
  csharp: {
    ctags: 'C#',
    same: {
      class: ['class', 'record'], enum: ['enum'], enumerator: ['constant', 'member'], event: ['event', 'field', 'property'],
      // `int Count => …` is a field to it.
      field: ['field', 'constant', 'property'],
      interface: ['interface'], macro: ['macro'], method: ['method', 'constructor', 'type', 'function'], namespace: ['namespace'], property: ['property'], struct: ['struct', 'record'],
    },
    leftOut: (tag, line) => tag.kind === 'macro' ? 'a switch of the preprocessor, which declares nothing in C#'
      : /\bthis\s*\[/.test(line) ? 'an indexer, which ctags names by its type'
      : tag.kind === 'field' && line.includes('=>') && !new RegExp(`\\b${tag.name}\\s*=>`).test(line) && MISREAD,
    // Of `int IList.Count` the outline has `Count`.
    plain: (tag) => ['method', 'property'].includes(tag.kind) ? tag.name.replace(/^[\w.<>]+\./, '') : tag.name,
  },
  go: {
    ctags: 'Go',
    same: {
      anonMember: ['field'], const: ['constant'], func: ['function', 'method'], interface: ['interface'], member: ['field'], methodSpec: ['method'],
      package: ['package'], struct: ['struct'], talias: ['type'], type: ['type'], var: ['variable'],
    },
    leftOut: (tag) => tag.kind === 'packageName' ? IMPORTED : tag.kind === 'unknown' && 'ctags cannot tell what it is',
  },
  java: {
    ctags: 'Java',
    same: {
      annotation: ['interface', 'annotation'], class: ['class', 'record'], enum: ['enum'], enumConstant: ['constant', 'member'], field: ['field', 'constant'],
      interface: ['interface'], method: ['method', 'constructor'], package: ['package'],
    },
    leftOut: () => undefined,
  },
  javascript: {
    ctags: 'JavaScript',
    same: {
      class: ['class', 'function', 'method'], constant: ['constant', 'function', 'class'], field: ['field', 'property'], function: ['function', 'method', 'constant'],
      generator: ['function', 'method'], getter: ['property', 'method'], method: ['method', 'function', 'constructor', 'property'], property: ['property'],
      setter: ['property', 'method'], variable: ['variable', 'constant', 'function', 'class'],
    },
    leftOut: leftOutOfJavaScript,
  },
  kotlin: {
    ctags: 'Kotlin',
    same: {
      class: ['class', 'enum', 'annotation', 'record'], constant: ['property', 'constant', 'variable', 'field'], interface: ['interface'],
      method: ['function', 'method', 'constructor'], object: ['object'], package: ['package'], typealias: ['type'], variable: ['property', 'variable', 'field'],
    },
    leftOut: (tag) => isIn(tag, 'method') && (['constant', 'variable'].includes(tag.kind) ? LOCAL : WITHIN),
  },
  php: {
    ctags: 'PHP',
    same: {
      class: ['class', 'enum'], define: ['constant'], function: ['function', 'method', 'constructor'], interface: ['interface'], namespace: ['namespace'],
      trait: ['trait'], variable: ['property', 'field', 'variable'],
    },
    leftOut: (tag) => tag.kind === 'alias' && IMPORTED,
  },
  python: {
    ctags: 'Python',
    same: { class: ['class', 'enum'], function: ['function'], member: ['method', 'constructor', 'property', 'function'], variable: ['variable', 'constant', 'field', 'property'] },
    leftOut: (tag) => ['module', 'namespace', 'unknown'].includes(tag.kind) ? IMPORTED : isIn(tag, 'function', 'member') && WITHIN,
  },
  ruby: {
    ctags: 'Ruby',
    same: {
      accessor: ['property', 'field'], alias: ['method', 'function'], class: ['class'], constant: ['constant'], method: ['method', 'function', 'constructor'],
      module: ['module'], singletonMethod: ['method', 'function'],
    },
    // Of `alias :loaded? :loaded` it finds `loaded`.
    plain: (tag, line) => tag.kind === 'alias' ? (line.slice(line.indexOf(tag.name)).match(/^\w+[?!=]/)?.[0] ?? tag.name) : tag.name,
    leftOut: (tag) => tag.kind === 'accessor' && tag.name.endsWith('=') ? 'the second name that ctags gives to one word of `attr_accessor`'
      : tag.kind !== 'method' && isIn(tag, 'method') && WITHIN,
  },
  rust: {
    ctags: 'Rust',
    same: {
      enum: ['enum'], enumerator: ['constant', 'member'], field: ['field'], function: ['function', 'method'], implementation: ['impl'], interface: ['trait'],
      macro: ['macro'], method: ['method', 'function'], module: ['module'], struct: ['struct'], typedef: ['type'], variable: ['constant', 'variable'],
    },
    leftOut: (tag) => isIn(tag, 'function', 'method') && WITHIN,
  },
  typescript: {
    ctags: 'TypeScript',
    same: {
      alias: ['type'], class: ['class'], constant: ['constant', 'function'], enum: ['enum'], enumerator: ['constant', 'member'], function: ['function'],
      generator: ['function'], interface: ['interface'], method: ['method', 'constructor', 'function'], namespace: ['namespace', 'module'],
      property: ['property', 'field'], variable: ['variable', 'function'],
    },
    // `const map: core.Map` is found as `core`; a type parameter on a line of its own as a constant.
    leftOut: (tag, line) => tag.kind === 'method' && tag.name === 'new' ? 'a construct signature, which has no name'
      : !['constant', 'variable'].includes(tag.kind) ? isIn(tag, 'function', 'method') && WITHIN
      : isIndented(line) && !isIn(tag, 'namespace') ? LOCAL
      : (/\b(const|let|var)\s+[\w$]+\s*:/.test(line) ? !new RegExp(`\\b(const|let|var)\\s+${tag.name.replaceAll('$', '\\$')}\\b`).test(line) : !/\b(const|let|var)\b/.test(line)) && MISREAD,
  },
};

/** Before ctags 6 it takes any object and any function that uses `this` for a class, and what is near to them for their fields. */
function leftOutOfJavaScript({ name, kind, scopeKind }, line) {
  const word = name.replaceAll('$', '\\$');
  const is = (pattern) => new RegExp(pattern.replace('NAME', word)).test(line);
  if (['constant', 'variable'].includes(kind) && isIndented(line)) return LOCAL;
  if (kind === 'function' && ['function', 'method'].includes(scopeKind)) return WITHIN;
  if (kind === 'function' && is('[(,].*\\bfunction\\s+NAME\\b')) return 'the name of a function that is handed on, which nothing can call it by';
  if (kind === 'class' && !is('\\bclass\\s+NAME\\b') && !/\bfunction\b/.test(line)) return MISREAD;
  if (['field', 'property'].includes(kind) && !is('^\\s*(static\\s+)?NAME\\s*[=;]')) return 'a key of an object that is a value, or what a function puts on `this`';
  return undefined;
}

/** Why a finding of ctags is not compared; undefined for one that is. */
export function leftOut(language, tag, line) {
  return made(tag) || LANGUAGES[language].leftOut(tag, line) || undefined;
}

/** The words of the labels, each with the kinds of an outline that mean it: at the top of a file, and in a type. */
export const LABELS = {
  scala: {
    class: ['class'], def: ['function', 'method'], init: ['constructor', 'method'], object: ['object'], trait: ['trait'], type: ['type'],
    val: ['constant', 'property', 'field'], var: ['variable', 'property', 'field'],
  },
  swift: {
    actor: ['class', 'actor'], case: ['constant', 'member'], class: ['class'], deinit: ['destructor', 'constructor', 'method'], enum: ['enum'], extension: ['extension', 'impl'], func: ['function', 'method'],
    init: ['constructor'], let: ['constant', 'property', 'field'], protocol: ['interface', 'trait', 'protocol'], struct: ['struct'], subscript: ['property', 'method'],
    typealias: ['type'], var: ['variable', 'property', 'field'],
  },
  tsx: {
    arrow: ['function', 'method', 'constant', 'property', 'field'], class: ['class'], const: ['constant'], enum: ['enum'], function: ['function'], interface: ['interface'],
    member: ['constant', 'member'], method: ['method', 'constructor'], property: ['property', 'field'], type: ['type'],
  },
};
