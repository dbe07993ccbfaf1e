import { checkDocument, type DocumentNote, type ImportedTemplate } from '../checked-document.ts'
import type { TemplateDocumentInput, TemplateRuntime } from '../document.ts'
import { whyNotImageReference } from '../document.ts'
import { whyNotIcon, withTrueType } from '../icon.ts'
import { normalizePlaceholders } from '../placeholders.ts'
import { configFilesOf, donePatternsOf } from './egg-config.ts'
import { imagesOf } from './egg-images.ts'
import { variablesOf } from './egg-variables.ts'
import { type Loose, lineOf, objectOf, own, textOf, textsOf } from './loose.ts'
import { leftInScript, renameInScript } from './renamed-variables.ts'
import { stopChainOf } from './stop-value.ts'

export const EGG_VERSIONS = ['PTDL_v1', 'PTDL_v2', 'PLCN_v1', 'PLCN_v2', 'PLCN_v3'] as const

export const EGG_DATA_PATH = '/home/container'
/** Eggs do not say how long a start may take. */
const START_SECONDS = 1800
const STAY_UP_SECONDS = 10
/** What a JVM needs besides a heap that its command line sets to the whole memory. */
const JVM_OVERHEAD_MB = 512

type Notes = DocumentNote[]

export const isEgg = (value: unknown): boolean =>
  own(objectOf(own(objectOf(value), 'meta')), 'version') !== undefined

/** Reads an egg of any known version, without our extension field. `readDocument` has bounded the value. */
export function readEgg(value: unknown): ImportedTemplate {
  const egg = objectOf(value) ?? {}
  const version = textOf(own(objectOf(own(egg, 'meta')), 'version')) ?? ''
  if (!EGG_VERSIONS.some((known) => known === version)) {
    const detail = `The version "${version.slice(0, 40)}" is not known; known are ${EGG_VERSIONS.join(', ')}`
    return { ok: false, faults: [{ path: 'meta.version', detail }] }
  }
  const warnings: Notes = []
  const { variables, renamed } = variablesOf(own(egg, 'variables'), warnings)
  const normalize = (text: string, path: string): string => {
    const result = normalizePlaceholders(text, (name) => renamed.get(name) ?? name)
    for (const name of new Set(result.unknown)) {
      const detail = `The placeholder ${name.slice(0, 80)} is not known and stays as it is`
      warnings.push({ path, detail })
    }
    return result.text
  }
  const images = imagesOf(egg, warnings)
  const commands = commandsOf(egg, normalize, warnings)
  const faults: Notes = []
  if (lineOf(own(egg, 'name'), 128) === '')
    faults.push({ path: 'name', detail: 'The document has no name' })
  if (images.length === 0)
    faults.push({ path: 'docker_images', detail: 'The document names no usable image' })
  if (commands.length === 0)
    faults.push({ path: 'startup', detail: 'The document has no startup command' })
  if (faults.length > 0) return { ok: false, faults }

  const document: TemplateDocumentInput = {
    format: 'lodge/v1',
    ...identityOf(egg, warnings),
    kind: 'container',
    runtime: runtimeOf(egg, images, commands, renamed, normalize, warnings),
    variables,
    features: textsOf(own(egg, 'features')).filter((name) =>
      /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name),
    ),
    fileDenylist: textsOf(own(egg, 'file_denylist'))
      .map((pattern) => lineOf(pattern, 512))
      .filter((pattern) => pattern !== '')
      .slice(0, 500),
  }
  return checkDocument(document, warnings)
}

function identityOf(egg: Loose, warnings: Notes) {
  const uuid = textOf(own(egg, 'uuid'))?.toLowerCase() ?? ''
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid)
  if (uuid !== '' && !isUuid)
    warnings.push({ path: 'uuid', detail: 'This is not a UUID and was left out' })
  const updateUrl = textOf(own(objectOf(own(egg, 'meta')), 'update_url'))?.trim() ?? ''
  const isUrl = /^https?:\/\/[^\s]{1,2000}$/.test(updateUrl) && URL.canParse(updateUrl)
  return {
    ...(isUuid ? { uuid } : {}),
    name: lineOf(own(egg, 'name'), 128),
    author: lineOf(own(egg, 'author'), 191),
    description: (textOf(own(egg, 'description')) ?? '').slice(0, 16_384),
    tags: textsOf(own(egg, 'tags'))
      .map((tag) => lineOf(tag, 64))
      .filter((tag) => tag !== '')
      .slice(0, 32),
    ...iconOf(egg, warnings),
    ...(isUrl ? { updateUrl } : {}),
  }
}

function iconOf(egg: Loose, warnings: Notes): { icon?: string } {
  const given = textOf(own(egg, 'icon')) ?? textOf(own(egg, 'image')) ?? ''
  if (given === '' || (own(egg, 'icon') === undefined && !given.startsWith('data:'))) return {}
  const labelled = given.replaceAll(/\s/g, '')
  const icon = withTrueType(labelled)
  const fault = icon.startsWith('data:') ? whyNotIcon(icon) : 'is not a picture as a data: URL'
  if (fault === undefined) {
    if (icon !== labelled) {
      const type = icon.slice('data:'.length, icon.indexOf(';'))
      warnings.push({ path: 'icon', detail: `The icon is ${type} and is now labelled so` })
    }
    return { icon }
  }
  warnings.push({ path: 'icon', detail: `The icon was left out: it ${fault}` })
  return {}
}

function commandsOf(
  egg: Loose,
  normalize: (text: string, path: string) => string,
  warnings: Notes,
) {
  const map = objectOf(own(egg, 'startup_commands'))
  const given: [string, unknown][] = map ? Object.entries(map) : [['Default', own(egg, 'startup')]]
  const commands = new Map<string, string>()
  for (const [key, value] of given) {
    const name = lineOf(key, 128) || 'Default'
    const text = normalize((textOf(value) ?? '').trim(), `startup.${name}`)
    if (text.length > 16_384)
      warnings.push({ path: `startup.${name}`, detail: 'The command is too long' })
    else if (text !== '' && !commands.has(name)) commands.set(name, text)
  }
  return [...commands].slice(0, 50).map(([name, text]) => ({ name, text }))
}

function runtimeOf(
  egg: Loose,
  images: TemplateRuntime['images'],
  commands: { name: string; text: string }[],
  renamed: ReadonlyMap<string, string>,
  normalize: (text: string, path: string) => string,
  warnings: Notes,
): TemplateDocumentInput['runtime'] {
  const config = objectOf(own(egg, 'config'))
  const { patterns, stripAnsi } = donePatternsOf(own(config, 'startup'), warnings)
  const stop = stopChainOf(textOf(own(config, 'stop')) ?? '')
  if (!stop) warnings.push({ path: 'config.stop', detail: 'No usable stop value: SIGTERM is sent' })
  const install = installOf(egg, renamed, warnings)
  const heapIsAll = commands.some((command) => /-Xmx\{\{SERVER_MEMORY\}\}M/i.test(command.text))
  return {
    images,
    startup: { kind: 'text', commands },
    dataPath: EGG_DATA_PATH,
    proofOfLife: {
      patterns: patterns.map((pattern) => ({
        ...pattern,
        value: normalize(pattern.value, 'config.startup.done'),
      })),
      stripAnsi,
      ...(patterns.length === 0 ? { stayUpSeconds: STAY_UP_SECONDS } : {}),
      timeoutSeconds: START_SECONDS,
    },
    stop: stop ?? [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 180 }],
    configFiles: configFilesOf(own(config, 'files'), normalize, warnings),
    ...(install ? { install } : {}),
    tty: true,
    temporaryMb: 100,
    port: { protocol: 'both' },
    ...(heapIsAll ? { memoryOverheadMb: JVM_OVERHEAD_MB } : {}),
  }
}

function installOf(
  egg: Loose,
  renamed: ReadonlyMap<string, string>,
  warnings: Notes,
): TemplateRuntime['install'] | undefined {
  const source = objectOf(own(objectOf(own(egg, 'scripts')), 'installation'))
  const script = renameInScript(textOf(own(source, 'script')) ?? '', renamed)
  if (script.trim() === '') return undefined
  const path = 'scripts.installation'
  for (const name of leftInScript(script, renamed)) {
    const detail = `The script still says ${name.slice(0, 80)}: where it means the variable, write ${renamed.get(name)}`
    warnings.push({ path, detail })
  }
  const reference = (textOf(own(source, 'container')) ?? '').trim().replace(/^~/, '')
  const fault = whyNotImageReference(reference)
  const interpreter = (textOf(own(source, 'entrypoint')) ?? '').trim().split(/\s+/).filter(Boolean)
  if (fault || script.length > 1_048_576 || interpreter.length > 16) {
    warnings.push({
      path,
      detail: `The install script was left out: ${fault ?? 'it is too large'}`,
    })
    return undefined
  }
  return {
    image: { kind: 'registry', reference },
    interpreter: interpreter.length > 0 ? interpreter : ['ash'],
    script,
    timeoutSeconds: 1800,
    memoryMb: 1024,
  }
}
