import fc from 'fast-check'
import { CAPABILITIES, CONFIG_PARSERS, SIGNALS } from '../../container-spec.ts'
import { isInside, TemplateDocument } from '../document.ts'
import { RESERVED_NAMES } from '../reserved-names.ts'
import { BARE_RULES, LIST_RULES, NUMBER_RULES } from '../rules/rule.ts'

const word = fc
  .stringMatching(/^[A-Za-z0-9 ._'"{}$;,|-]{1,24}$/)
  .filter((text) => text.trim() !== '')
const text = fc.oneof(
  word,
  fc.string({ unit: 'binary', maxLength: 60 }).map((any) => any.replaceAll('\0', '')),
  fc.constant('{{PORT}} {{server.port}}'),
)
const env = fc
  .stringMatching(/^[A-Z_][A-Z0-9_]{0,12}$/)
  .filter((name) => !RESERVED_NAMES.includes(name))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const port = fc.integer({ min: 1, max: 65535 })
const protocol = fc.constantFrom('tcp', 'udp', 'both')

const source = fc.oneof(
  fc.record({
    kind: fc.constant('registry'),
    reference: fc.constantFrom('a/b:1', 'ghcr.io/x/y:latest', 'localhost:5000/z'),
  }),
  fc.record({
    kind: fc.constant('debian'),
    suite: fc.constant('bookworm'),
    packages: fc.constantFrom(['nodejs'], ['redis', 'curl']),
  }),
)

const rule = fc.oneof(
  fc.record({ rule: fc.constantFrom(...BARE_RULES) }),
  fc.record({ rule: fc.constantFrom(...NUMBER_RULES), value: fc.integer({ min: -9, max: 999 }) }),
  fc.record({
    rule: fc.constant('between'),
    min: fc.integer(),
    max: fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-3 }),
  }),
  fc.record({
    rule: fc.constantFrom(...LIST_RULES),
    values: fc.array(text, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    rule: fc.constantFrom('regex', 'not_regex'),
    pattern: fc.constantFrom('^a|b$', '/[#~!@%]\\/', 'x{1,3}|max:3'),
    flags: fc.constantFrom('', 'i', 'ms'),
  }),
)

const variable = fc.record({
  name: word,
  description: text,
  env,
  default: text,
  rules: fc.array(rule, { maxLength: 4 }),
  userViewable: fc.boolean(),
  userEditable: fc.boolean(),
  secret: fc.boolean(),
})

const uniqueBy = <T>(item: fc.Arbitrary<T>, selector: (value: T) => string, minLength = 0) =>
  fc.uniqueArray(item, { selector, minLength, maxLength: 3 })

const configFile = fc.record({
  path: text.filter((path) => path.length > 0 && isInside(path)),
  parser: fc.constantFrom(...CONFIG_PARSERS),
  create: fc.boolean(),
  edits: fc.array(
    fc.record({
      match: text.filter((match) => match !== ''),
      ifValue: optional(text),
      value: fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null)),
    }),
    { maxLength: 4 },
  ),
})

const runtime = fc.record({
  images: uniqueBy(fc.record({ name: word, source }), (image) => image.name, 1),
  startup: fc.oneof(
    fc.record({ kind: fc.constant('argv'), command: fc.array(text, { maxLength: 4 }) }),
    fc.record({
      kind: fc.constant('text'),
      commands: uniqueBy(
        fc.record({ name: word, text: text.filter((command) => command.trim() !== '') }),
        (command) => command.name,
        1,
      ),
    }),
  ),
  environment: fc.dictionary(env, text, { maxKeys: 3 }),
  dataPath: fc.constantFrom('/data', '/home/container', '/srv/x'),
  proofOfLife: fc.record({
    patterns: fc.array(
      fc.record({
        kind: fc.constantFrom('text', 'regex'),
        value: text.filter((value) => value !== ''),
      }),
      { maxLength: 3 },
    ),
    tcpPort: optional(fc.oneof(port, fc.constant('primary'))),
    stayUpSeconds: optional(fc.integer({ min: 0, max: 600 })),
    stripAnsi: fc.boolean(),
    timeoutSeconds: fc.integer({ min: 1, max: 3600 }),
  }),
  stop: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('command'),
        text: word,
        timeoutSeconds: fc.integer({ min: 1, max: 600 }),
      }),
      fc.record({
        kind: fc.constant('signal'),
        signal: fc.constantFrom(...SIGNALS),
        timeoutSeconds: fc.integer({ min: 0, max: 600 }),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  configFiles: fc.array(configFile, { maxLength: 3 }),
  install: optional(
    fc.record({
      image: source,
      interpreter: fc.constantFrom(['/bin/sh'], ['bash', '-e']),
      script: text.filter((script) => script !== ''),
    }),
  ),
  capabilities: fc.subarray([...CAPABILITIES]),
  writableRoot: fc.boolean(),
  tty: fc.boolean(),
  port: fc.record({ protocol, containerPort: optional(port) }),
  extraPorts: fc.array(fc.record({ label: word, protocol, containerPort: optional(port) }), {
    maxLength: 3,
  }),
  memoryOverheadMb: optional(fc.integer({ min: 0, max: 4096 })),
})

/** Documents of every shape that the schema allows. */
export const anyDocument: fc.Arbitrary<TemplateDocument> = fc
  .record({
    format: fc.constant('lodge/v1'),
    uuid: optional(fc.uuid({ version: 4 })),
    name: word,
    author: word,
    description: text,
    tags: fc.array(word, { maxLength: 3 }),
    kind: fc.constant('container'),
    runtime,
    variables: uniqueBy(variable, (item) => item.env),
    connection: optional(fc.array(word, { maxLength: 2 })),
    commands: optional(fc.array(fc.record({ command: word, description: word }), { maxLength: 2 })),
    features: fc.subarray(['eula', 'java_version']),
    fileDenylist: fc.array(word, { maxLength: 2 }),
  })
  // Through JSON, as documents are transmitted: no undefined, no negative zero.
  .map((value) => TemplateDocument.parse(JSON.parse(JSON.stringify(value))))
