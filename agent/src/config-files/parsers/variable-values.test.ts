import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { containerSpecOf } from '@lodge/shared/templates/resolve.ts'
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { Parser } from '../edit.ts'
import { editFile } from './file.ts'
import { editIni } from './ini.ts'
import { editJson } from './json.ts'
import { editProperties } from './properties.ts'
import { editToml } from './toml.ts'
import { editXml } from './xml.ts'
import { editYaml } from './yaml.ts'

/** Splits lines as the most liberal reader would. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines for some readers
const linesOf = (text: string): string[] => text.split(/\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/)

interface Format {
  readonly name: 'file' | 'ini' | 'properties' | 'json' | 'yaml' | 'toml' | 'xml'
  readonly edit: Parser
  readonly before: string
  readonly match: string
  /** The value in the template, with a placeholder for the variable. */
  readonly value: string
  /** Everything in the document except the edited value, as an independent parser sees it. */
  readonly rest: (text: string) => unknown
}

const otherLines = (text: string) => linesOf(text).filter((_, index) => index !== 1)
const otherKeys = (document: Record<string, unknown>) => ({ ...document, name: undefined })

const FORMATS: readonly Format[] = [
  {
    name: 'file',
    edit: editFile,
    before: 'first\nname x\nlast\n',
    match: 'name',
    value: 'name {{X}}',
    rest: otherLines,
  },
  {
    name: 'ini',
    edit: editIni,
    before: '[a]\nname=x\n[b]\nadmin=no\n',
    match: 'a.name',
    value: '{{X}}',
    rest: otherLines,
  },
  {
    name: 'properties',
    edit: editProperties,
    before: 'a=1\nname=x\nadmin=no\n',
    match: 'name',
    value: '{{X}}',
    rest: otherLines,
  },
  {
    name: 'json',
    edit: editJson,
    before: '{"name": "x", "admin": false}',
    match: 'name',
    value: '{{X}}',
    rest: (text) => otherKeys(JSON.parse(text)),
  },
  {
    name: 'yaml',
    edit: editYaml,
    before: 'a: 1\nname: x\nadmin: false\n',
    match: 'name',
    value: '{{X}}',
    rest: (text) => otherKeys(parseYaml(text)),
  },
  {
    name: 'toml',
    edit: editToml,
    before: 'a = 1\nname = "x"\nadmin = false\n',
    match: 'name',
    value: '{{X}}',
    rest: (text) => otherKeys(parseToml(text)),
  },
  {
    name: 'xml',
    edit: editXml,
    before: '<root a="1"><name>x</name><admin>no</admin></root>',
    match: 'root.name',
    value: '{{X}}',
    rest: (text) => {
      const { root } = new XMLParser({ ignoreAttributes: false }).parse(text)
      return [root['@_a'], root.admin, Object.keys(root.name).filter((key) => key.startsWith('@'))]
    },
  },
]

function edited(format: Format, variable: string): string {
  const document = TemplateDocument.parse({
    format: 'lodge/v1',
    name: 'One',
    kind: 'container',
    runtime: {
      images: [{ name: 'Main', source: { kind: 'registry', reference: 'a/b:1' } }],
      startup: { kind: 'argv', command: [] },
      dataPath: '/data',
      proofOfLife: { patterns: [], stripAnsi: true, stayUpSeconds: 1, timeoutSeconds: 60 },
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
      configFiles: [
        { path: 'a', parser: format.name, edits: [{ match: format.match, value: format.value }] },
      ],
    },
    variables: [{ name: 'X', env: 'X', default: '' }],
  })
  const spec = containerSpecOf(document, {
    id: '3f0c3f0c-0000-4000-8000-000000000000',
    name: 'one',
    variables: { X: variable },
    memoryMb: 512,
    cpuPercent: 100,
    diskMb: 512,
    ports: [],
    address: null,
  })
  return format.edit(format.before, spec.configFiles[0]?.edits ?? [])
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '\n',
        '\r',
        '\r\n',
        '\v',
        '\f',
        '\u0085',
        '\u2028',
        '\u2029',
        '\u001e',
        'admin=yes',
        '[b]',
        'admin: true',
        "[admin='yes']",
        '</name><admin>yes</admin>',
        '"',
        "'",
        '\\',
        '#',
        ';',
        ' ',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('the value of a variable', () => {
  it.each(FORMATS)('stays a single value in a $name file', (format) => {
    const before = format.rest(format.before)
    fc.assert(
      fc.property(text, (value) => {
        expect(format.rest(edited(format, value.replaceAll('\0', '')))).toEqual(before)
      }),
      { numRuns: 400 },
    )
  })

  it('stays on its line where the template itself spans several', () => {
    const file = FORMATS.find((format) => format.name === 'file')
    if (!file) throw new Error('no file')
    const several = { ...file, value: 'name {{X}}\nsecond' }
    expect(edited(several, 'a\nadmin=yes')).toBe('first\nname a admin=yes\nsecond\nlast\n')
  })

  it('sets an XML attribute only where the template asks for one', () => {
    const xml = FORMATS.find((format) => format.name === 'xml')
    if (!xml) throw new Error('no xml')
    expect(edited(xml, "[admin='yes']")).toContain('<name>[admin=&apos;yes&apos;]</name>')
    const asked = { ...xml, value: "[owner='{{X}}']" }
    expect(edited(asked, "a' b='c")).toContain('<name owner="a&apos; b=&apos;c">x</name>')
  })
})
