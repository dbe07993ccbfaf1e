import type { ImageSource } from '../../container-spec.ts'
import type { TemplateDocument, TemplateVariable } from '../document.ts'
import { formatRules } from '../rules/parse-rules.ts'
import { stopValueOf } from './stop-value.ts'

export type EggVersion = 'PTDL_v2' | 'PLCN_v3'

/** A template in another panel's format, without our extension field. */
export function plainEgg(document: TemplateDocument, version: EggVersion): Record<string, unknown> {
  const { runtime } = document
  return {
    meta: { version, update_url: document.updateUrl ?? null },
    name: document.name,
    author: document.author,
    ...(document.uuid ? { uuid: document.uuid } : {}),
    description: document.description,
    ...(version === 'PLCN_v3' ? { tags: document.tags } : {}),
    ...(version === 'PLCN_v3' && document.icon?.startsWith('data:') ? { icon: document.icon } : {}),
    features: document.features,
    docker_images: Object.fromEntries(
      runtime.images.map((image) => [image.name, referenceOf(image.source)]),
    ),
    file_denylist: document.fileDenylist,
    ...startupOf(document, version),
    config: configOf(document, version),
    scripts: { installation: installationOf(document) },
    variables: document.variables.map((variable, index) => variableOf(variable, index, version)),
  }
}

function referenceOf(source: ImageSource): string {
  return source.kind === 'registry' ? source.reference : 'debian:bookworm-slim'
}

/** One word of a command line, quoted for a shell; placeholders stay open. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

function startupOf(document: TemplateDocument, version: EggVersion): Record<string, unknown> {
  const { startup } = document.runtime
  const commands =
    startup.kind === 'text'
      ? startup.commands
      : [{ name: 'Default', text: startup.command.map(shellWord).join(' ') || 'true' }]
  if (version === 'PTDL_v2') return { startup: commands[0]?.text ?? '' }
  return {
    startup_commands: Object.fromEntries(commands.map((command) => [command.name, command.text])),
  }
}

function configOf({ runtime }: TemplateDocument, version: EggVersion): Record<string, unknown> {
  const { patterns, stripAnsi } = runtime.proofOfLife
  const lines = patterns.map((pattern) =>
    pattern.kind === 'regex' ? `regex:${pattern.value}` : pattern.value,
  )
  const files = Object.fromEntries(
    runtime.configFiles.map((file) => [
      file.path,
      {
        parser: file.parser,
        ...(file.create ? {} : { create_file: false }),
        find: findOf(file.edits),
      },
    ]),
  )
  const startup = { done: lines.length === 1 ? lines[0] : lines, strip_ansi: stripAnsi }
  const stop = stopValueOf(runtime.stop)
  if (version === 'PLCN_v3') return { files, startup, logs: {}, stop }
  return {
    files: JSON.stringify(files, null, 4),
    startup: JSON.stringify(startup, null, 4),
    logs: '{}',
    stop,
  }
}

type Edits = TemplateDocument['runtime']['configFiles'][number]['edits']

function findOf(edits: Edits): Record<string, unknown> {
  const find = new Map<string, unknown>()
  for (const edit of edits) {
    if (edit.ifValue === undefined) {
      find.set(edit.match, edit.value)
      continue
    }
    const present = find.get(edit.match)
    const map = typeof present === 'object' && present !== null ? present : {}
    find.set(edit.match, { ...map, [edit.ifValue]: edit.value })
  }
  return Object.fromEntries(find)
}

function installationOf({ runtime }: TemplateDocument): Record<string, unknown> {
  const { install } = runtime
  if (!install) return { script: '', container: 'debian:bookworm-slim', entrypoint: 'sh' }
  return {
    script: install.script,
    container: referenceOf(install.image),
    entrypoint: install.interpreter.join(' '),
  }
}

function variableOf(
  variable: TemplateVariable,
  index: number,
  version: EggVersion,
): Record<string, unknown> {
  const rules = formatRules(variable.rules)
  return {
    name: variable.name,
    description: variable.description,
    env_variable: variable.env,
    default_value: variable.default,
    user_viewable: variable.userViewable,
    user_editable: variable.userEditable,
    rules: version === 'PLCN_v3' ? rules : rules.join('|'),
    ...(version === 'PLCN_v3' ? { sort: index + 1 } : { field_type: 'text' }),
  }
}
