import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TemplateDocument, TemplateVariable } from './document.ts'
import { exportTemplate, toYaml } from './export-template.ts'
import { importTemplate } from './import-template.ts'
import { anyDocument } from './testing/any-document.ts'

/** An exported egg as a person sees it in an editor. */
interface Egg {
  [field: string]: unknown
  meta: Part
  docker_images: Part
  startup_commands?: Part
  config: Part
  scripts: { installation: Part }
  variables: Part[]
}
type Part = Record<string, unknown>

interface EditOfEgg {
  readonly what: string
  /** Edits the egg in place; false when it has nothing of this kind. */
  readonly edit: (egg: Egg) => boolean
  /** The part of the imported document that must show the edit, and its expected value. */
  readonly says: (document: TemplateDocument) => readonly [unknown, unknown]
}

const set = (object: Part | undefined, key: string, value: unknown): boolean => {
  if (!object) return false
  object[key] = value
  return true
}

/** The parts of `config` are objects in the newer format and JSON text in the older one. */
function editConfig(egg: Egg, part: string, edit: (value: Part) => boolean): boolean {
  const { config } = egg
  const given = config[part]
  if (typeof given !== 'string') return edit(given as Part)
  const value: Part = JSON.parse(given)
  const edited = edit(value)
  config[part] = JSON.stringify(value)
  return edited
}

const ofVariable = (
  what: string,
  field: string,
  value: unknown,
  read: (variable: TemplateVariable) => unknown,
  wanted: unknown = value,
): EditOfEgg => ({
  what,
  edit: (egg) => set(egg.variables.at(-1), field, value),
  says: ({ variables }) => {
    const last = variables.at(-1)
    return [last ? read(last) : wanted, wanted]
  },
})

const EDITS: readonly EditOfEgg[] = [
  { what: 'the name', edit: (egg) => set(egg, 'name', 'Edited'), says: (d) => [d.name, 'Edited'] },
  {
    what: 'the author',
    edit: (egg) => set(egg, 'author', 'Edited'),
    says: (d) => [d.author, 'Edited'],
  },
  {
    what: 'the description',
    edit: (egg) => set(egg, 'description', 'Edited'),
    says: (d) => [d.description, 'Edited'],
  },
  {
    what: 'the address of updates',
    edit: (egg) => set(egg.meta, 'update_url', 'https://example.org/edited'),
    says: (d) => [d.updateUrl, 'https://example.org/edited'],
  },
  {
    what: 'the features',
    edit: (egg) => set(egg, 'features', ['edited']),
    says: (d) => [d.features, ['edited']],
  },
  {
    what: 'the denied files',
    edit: (egg) => set(egg, 'file_denylist', ['edited.txt']),
    says: (d) => [d.fileDenylist, ['edited.txt']],
  },
  {
    what: 'the tags',
    edit: (egg) => 'tags' in egg && set(egg, 'tags', ['edited']),
    says: (d) => [d.tags, ['edited']],
  },
  {
    what: 'an image',
    edit: (egg) =>
      set(egg.docker_images, Object.keys(egg.docker_images)[0] ?? '', 'example.org/edited:2'),
    says: (d) => [
      d.runtime.images.some(
        (image) =>
          image.source.kind === 'registry' && image.source.reference === 'example.org/edited:2',
      ),
      true,
    ],
  },
  {
    what: 'a further image',
    edit: (egg) => set(egg.docker_images, 'Edited further', 'example.org/edited:3'),
    says: (d) => [
      d.runtime.images.find((image) => image.name === 'Edited further')?.source,
      { kind: 'registry', reference: 'example.org/edited:3' },
    ],
  },
  {
    what: 'the start command',
    edit: (egg) =>
      egg.startup_commands
        ? set(egg.startup_commands, Object.keys(egg.startup_commands)[0] ?? '', './edited')
        : set(egg, 'startup', './edited'),
    says: (d) => [
      d.runtime.startup.kind === 'text' &&
        d.runtime.startup.commands.some((command) => command.text === './edited'),
      true,
    ],
  },
  {
    what: 'the stop command',
    edit: (egg) => set(egg.config, 'stop', 'edited'),
    says: (d) => [d.runtime.stop[0], { kind: 'command', text: 'edited', timeoutSeconds: 180 }],
  },
  {
    what: 'the line that proves the start',
    edit: (egg) => editConfig(egg, 'startup', (startup) => set(startup, 'done', 'edited!')),
    says: (d) => [d.runtime.proofOfLife.patterns, [{ kind: 'text', value: 'edited!' }]],
  },
  {
    what: 'the parser of a configuration file',
    edit: (egg) =>
      editConfig(egg, 'files', (files) =>
        set(files, 'edited.cfg', { parser: 'ini', find: { a: 'edited' } }),
      ),
    says: (d) => [
      d.runtime.configFiles.find((file) => file.path === 'edited.cfg'),
      { path: 'edited.cfg', parser: 'ini', create: true, edits: [{ match: 'a', value: 'edited' }] },
    ],
  },
  {
    what: 'a value of a configuration file',
    edit: (egg) =>
      editConfig(egg, 'files', (files) =>
        set(Object.values(files as Record<string, { find: Part }>)[0]?.find, 'edited', 'edited'),
      ),
    says: (d) => [
      d.runtime.configFiles.length === 0 ||
        d.runtime.configFiles.some((file) =>
          file.edits.some((edit) => edit.match === 'edited' && edit.value === 'edited'),
        ),
      true,
    ],
  },
  {
    what: 'the install script',
    edit: (egg) =>
      set(egg.scripts.installation, 'script', 'echo edited') &&
      set(egg.scripts.installation, 'container', 'example.org/installer:1'),
    says: (d) => [d.runtime.install?.script, 'echo edited'],
  },
  {
    what: 'no install script',
    edit: (egg) => set(egg.scripts.installation, 'script', ''),
    says: (d) => [d.runtime.install, undefined],
  },
  ofVariable('the name of a variable', 'name', 'Edited', (variable) => variable.name),
  ofVariable(
    'the description of a variable',
    'description',
    'Edited',
    (variable) => variable.description,
  ),
  ofVariable(
    'the default of a variable',
    'default_value',
    'edited',
    (variable) => variable.default,
  ),
  ofVariable('the rules of a variable', 'rules', 'required|max:7', (variable) => variable.rules, [
    { rule: 'required' },
    { rule: 'max', value: 7 },
  ]),
  ofVariable('who sees a variable', 'user_viewable', false, (variable) => variable.userViewable),
  ofVariable('who edits a variable', 'user_editable', true, (variable) => variable.userEditable),
  {
    what: 'a further variable',
    edit: (egg) =>
      egg.variables.push({
        name: 'Further',
        env_variable: 'EDITED_FURTHER',
        default_value: 'edited',
        sort: 99,
      }) > 0,
    says: (d) => [
      d.variables.find((variable) => variable.env === 'EDITED_FURTHER')?.default,
      'edited',
    ],
  },
  {
    what: 'no variables',
    edit: (egg) => set(egg, 'variables', []),
    says: (d) => [d.variables, []],
  },
]

/** As a database returns documents: with the keys in another order. */
function reordered<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a > b ? -1 : 1)))
      : part,
  )
}

function taken(source: unknown): TemplateDocument {
  const result = importTemplate(source)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.document
}

const FORMAT = fc.constantFrom('ptdl_v2', 'plcn_v3')

const exported = (document: TemplateDocument, format: 'ptdl_v2' | 'plcn_v3'): Egg =>
  JSON.parse(JSON.stringify(exportTemplate(reordered(document), format, new Date(0)).value))

describe('an exported egg', () => {
  it.each(EDITS)(
    'that somebody edited keeps the edit when it is imported: $what',
    ({ edit, says }) => {
      fc.assert(
        fc.property(anyDocument, FORMAT, (document, format) => {
          const egg = exported(document, format)
          if (!edit(egg)) return
          for (const text of [JSON.stringify(egg), toYaml(egg)]) {
            const [said, wanted] = says(taken(text))
            expect(said).toEqual(wanted)
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it("keeps what its format cannot express beside somebody's edits", () => {
    fc.assert(
      fc.property(anyDocument, FORMAT, (document, format) => {
        const egg = exported(document, format)
        if (egg.variables.length === 0) return
        for (const variable of egg.variables) variable.default_value = 'edited'
        const back = taken(JSON.stringify(egg))
        const variables = document.variables.map((variable) => ({ ...variable, default: 'edited' }))
        expect(back).toEqual({ ...document, variables })
      }),
      { numRuns: 100 },
    )
  })

  it('does not repeat in our extension field what its format expresses', () => {
    fc.assert(
      fc.property(anyDocument, FORMAT, (document, format) => {
        const secret = document.variables.map((variable) => ({
          ...variable,
          default: 'said by the format',
          secret: true,
        }))
        const egg = exported({ ...document, variables: secret }, format)
        expect(JSON.stringify(egg['x-lodge'] ?? {})).not.toContain('said by the format')
      }),
      { numRuns: 100 },
    )
  })
})
