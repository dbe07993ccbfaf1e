import {
  type ContainerSpec,
  type ImageSource,
  type PortPublication,
  XML_ATTRIBUTE,
} from '../container-spec.ts'
import type { PortMapping } from '../servers.ts'
import { isInside, type TemplateDocument, type TemplateVariable } from './document.ts'
import { oneLine } from './one-line.ts'
import { FACT_VARIABLES, type Placeholder, type ServerFact, substitute } from './placeholders.ts'
import { checkVariable } from './rules/check-variable.ts'

/** What a template needs to know about one server. */
export interface ResolvedServer {
  readonly id: string
  readonly name: string
  /** Chosen values by environment name; a missing one takes the variable's default. */
  readonly variables: Readonly<Record<string, string>>
  /** Name of one of the document's images; the first one if absent. */
  readonly image?: string | undefined
  /** Name of one of the document's start commands; the first one if absent. */
  readonly startup?: string | undefined
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
  readonly ports: readonly (Pick<PortMapping, 'offset' | 'hostPort' | 'container' | 'protocol'> & {
    readonly hostAddress?: string | undefined
  })[]
  /** Where players reach the node, for `{{server.address}}`. */
  readonly address: string | null
  /** IANA name; UTC if absent. */
  readonly timeZone?: string | undefined
}

/** The values of a server do not fit the document. `message` is written for the server's owner. */
export class TemplateValueError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TemplateValueError'
  }
}

/**
 * The finished specification for a node: every placeholder filled in, once, item by item and never
 * by a shell. In STARTUP of images whose entry point reads it, variables stay placeholders: that
 * entry point takes them from the environment, so that a value never becomes part of a command
 * line. Throws `TemplateValueError` for an invalid image, start command or path.
 */
export function containerSpecOf(document: TemplateDocument, server: ResolvedServer): ContainerSpec {
  const { runtime } = document
  const environment = environmentOf(document, server)
  const facts = factsOf(document, server)
  const replacement = (placeholder: Placeholder): string | undefined => {
    if (placeholder.kind === 'fact') return facts[placeholder.name]
    return Object.hasOwn(environment, placeholder.name) ? environment[placeholder.name] : undefined
  }
  const fill = (text: string): string => substitute(text, replacement).text
  const fillLine = (text: string): string =>
    substitute(text, (placeholder) => {
      const value = replacement(placeholder)
      return value === undefined ? undefined : oneLine(value)
    }).text

  for (const [name, text] of Object.entries(runtime.environment))
    environment[name] = cut(fill(text), 32_768)
  if (runtime.startup.kind === 'text') {
    environment.STARTUP = startupText(
      chosen(runtime.startup.commands, server.startup, 'start command').text,
    )
  }
  const { tcpPort, ...proof } = runtime.proofOfLife
  const primary = server.ports.find((port) => port.offset === 0)
  const provedPort = tcpPort === 'primary' ? primary?.container : tcpPort
  return {
    image: chosen(runtime.images, server.image, 'image').source,
    command:
      runtime.startup.kind === 'argv'
        ? runtime.startup.command.map((item) => cut(fill(item), 32_768))
        : [],
    environment,
    secretNames: document.variables
      .filter((variable) => variable.secret)
      .map((variable) => variable.env),
    dataPath: runtime.dataPath,
    ports: server.ports.flatMap(publicationsOf),
    limits: {
      memoryMb: server.memoryMb,
      cpuPercent: server.cpuPercent,
      diskMb: server.diskMb,
      pids: runtime.limits.pids ?? 512,
      openFiles: runtime.limits.openFiles ?? 65_536,
    },
    capabilities: [...runtime.capabilities],
    writableRoot: runtime.writableRoot,
    tty: runtime.tty,
    temporaryMb: runtime.temporaryMb,
    proofOfLife: {
      ...proof,
      ...(provedPort === undefined ? {} : { tcpPort: provedPort }),
      patterns: proof.patterns
        .map((pattern) =>
          pattern.kind === 'text'
            ? { ...pattern, value: cut(fillLine(pattern.value), 1024) }
            : pattern,
        )
        .filter((pattern) => pattern.value !== ''),
    },
    stop: runtime.stop
      .map((step) =>
        step.kind === 'command' ? { ...step, text: cut(fillLine(step.text), 1024) } : step,
      )
      .filter((step) => step.kind === 'signal' || step.text.trim() !== ''),
    configFiles: runtime.configFiles.map((file) => ({
      ...file,
      path: insidePath(fillLine(file.path)),
      edits: file.edits
        .map((edit) => ({
          ...edit,
          ...filledValue(file.parser, edit.value, file.parser === 'file' ? fillLine : fill),
          match: cut(fillLine(edit.match), 512),
          wasMatch: edit.match,
        }))
        // A variable without a value must not turn the edit of one line into an edit of every line.
        .filter((edit) => edit.match !== '' || edit.wasMatch === '')
        .map(({ wasMatch: _, ...edit }) => edit),
    })),
    ...(runtime.install
      ? { install: { ...runtime.install, environment: installEnvironment(environment) } }
      : {}),
    ...queryOf(document, server),
  }
}

/** Null for a server without the query port. */
function queryOf(
  { runtime: { query } }: TemplateDocument,
  server: ResolvedServer,
): Pick<ContainerSpec, 'query'> {
  if (query?.kind !== 'protocol') return query ? { query } : {}
  const port = server.ports.find(({ offset }) => offset === query.portOffset)
  return port ? { query: { kind: 'protocol', protocol: query.protocol, port: port.container } } : {}
}

type EditValue = ContainerSpec['configFiles'][number]['edits'][number]['value']

/**
 * Only the template decides whether an edit writes several lines or sets an attribute, never a
 * variable's value.
 */
function filledValue(
  parser: ContainerSpec['configFiles'][number]['parser'],
  given: EditValue,
  fill: (text: string) => string,
): { value: EditValue; lines?: true; asText?: true } {
  if (typeof given !== 'string') return { value: given }
  const value = cut(fill(given), 8192)
  if (parser === 'file' && oneLine(given) !== given) return { value, lines: true }
  const disguised = parser === 'xml' && !XML_ATTRIBUTE.test(given) && XML_ATTRIBUTE.test(value)
  return disguised ? { value, asText: true } : { value }
}

/** The installer has another file system, in which the program's home folder does not exist. */
function installEnvironment({
  HOME: _,
  ...environment
}: Record<string, string>): Record<string, string> {
  return environment
}

/** Filling in can make a text longer than a node accepts. */
const cut = (text: string, max: number): string => text.slice(0, max)

function insidePath(path: string): string {
  if (!isInside(path) || path.length > 512) {
    throw new TemplateValueError(
      `The configuration file "${path.slice(0, 80)}" would be outside the data folder`,
    )
  }
  return path
}

function chosen<Item extends { readonly name: string }>(
  items: readonly Item[],
  name: string | undefined,
  what: string,
): Item {
  const item = name === undefined ? items[0] : items.find((candidate) => candidate.name === name)
  if (!item)
    throw new TemplateValueError(`The template has no ${what} "${(name ?? '').slice(0, 80)}"`)
  return item
}

/** MiB that the program may use: the limit without the template's overhead. */
export function plannedMemoryMb(document: TemplateDocument, memoryMb: number): number {
  const overhead = document.runtime.memoryOverheadMb ?? 0
  return memoryMb - Math.min(overhead, Math.floor(memoryMb / 4))
}

function factsOf(document: TemplateDocument, server: ResolvedServer): Record<ServerFact, string> {
  const primary = server.ports.find((port) => port.offset === 0)
  return {
    'server.id': server.id,
    'server.name': server.name,
    'server.address': server.address ?? '127.0.0.1',
    'server.port': primary ? String(primary.container) : '',
    'server.ip': '0.0.0.0',
    'server.memory': String(plannedMemoryMb(document, server.memoryMb)),
    'server.cpu': String(server.cpuPercent),
    'server.disk': String(server.diskMb),
  }
}

function environmentOf(document: TemplateDocument, server: ResolvedServer): Record<string, string> {
  const facts = factsOf(document, server)
  const environment: Record<string, string> = {}
  for (const variable of document.variables)
    environment[variable.env] = variableValue(variable, server.variables)
  if (document.runtime.startup.kind === 'text') {
    for (const [name, value] of Object.entries(environment))
      environment[name.toUpperCase()] ??= value
  }
  for (const port of server.ports) {
    if (port.offset > 0) environment[`SERVER_PORT_${port.offset}`] ??= String(port.container)
  }
  return {
    ...environment,
    TZ: server.timeZone ?? 'UTC',
    SERVER_IP: facts['server.ip'],
    SERVER_PORT: facts['server.port'],
    SERVER_MEMORY: facts['server.memory'],
    P_SERVER_UUID: server.id,
  }
}

/** The chosen value of a variable, else its default. */
export function variableValue(
  variable: TemplateVariable,
  values: Readonly<Record<string, string>>,
): string {
  return Object.hasOwn(values, variable.env) ? (values[variable.env] ?? '') : variable.default
}

/** Facts become variables that the image's entry point reads; it fills in the rest itself. */
function startupText(text: string): string {
  return substitute(text, (placeholder) => {
    const name = placeholder.kind === 'fact' ? FACT_VARIABLES[placeholder.name] : placeholder.name
    return name === undefined ? undefined : `{{${name}}}`
  }).text
}

function publicationsOf(port: ResolvedServer['ports'][number]): PortPublication[] {
  const protocols = port.protocol === 'both' ? (['tcp', 'udp'] as const) : [port.protocol]
  return protocols.map((protocol) => ({
    hostAddress: port.hostAddress ?? '0.0.0.0',
    hostPort: port.hostPort,
    containerPort: port.container,
    protocol,
  }))
}

export interface NeededPort {
  readonly offset: number
  readonly label: string | null
  readonly protocol: PortMapping['protocol']
  /** Fixed port inside the container; null when it is the same as outside. */
  readonly container: number | null
}

/** The ports that a new server of this template needs, the primary one (offset 0) first. */
export function portsNeeded(document: TemplateDocument): NeededPort[] {
  const { port, extraPorts } = document.runtime
  return [
    { offset: 0, label: null, protocol: port.protocol, container: port.containerPort ?? null },
    ...extraPorts.map((extra, index) => ({
      offset: index + 1,
      label: extra.label,
      protocol: extra.protocol,
      container: extra.containerPort ?? null,
    })),
  ]
}

export interface VariableFault {
  readonly env: string
  readonly detail: string
}

/** Every fault of the chosen values: unknown names and values that break their rules. */
export function variableFaults(
  document: TemplateDocument,
  values: Readonly<Record<string, string>>,
): VariableFault[] {
  const faults: VariableFault[] = []
  for (const env of Object.keys(values)) {
    if (!document.variables.some((variable) => variable.env === env)) {
      faults.push({ env, detail: `The template has no variable ${env.slice(0, 80)}` })
    }
  }
  for (const variable of document.variables) {
    const detail = checkVariable(variable, variableValue(variable, values))
    if (detail) faults.push({ env: variable.env, detail })
  }
  return faults
}

/** The images that a customer may choose from, the default first. */
export const imageChoices = (document: TemplateDocument): { name: string; source: ImageSource }[] =>
  document.runtime.images.map(({ name, source }) => ({ name, source }))
