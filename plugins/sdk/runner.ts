import { Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { format } from 'node:util'
import type { FromPlugin, HostCall, PluginStart } from '../../shared/src/plugins/protocol.ts'
import type { ApiReply, Handlers, Host, Plugin, Reply } from './index.ts'

// Runs in the sandbox: loads one plugin and passes calls between it and the host. The host checks
// everything, whatever a plugin does to this process.

type Handler = (given: unknown) => unknown
interface Call {
  readonly id: number
  readonly call?: string
  readonly given?: unknown
  readonly result?: unknown
  readonly fault?: { readonly message: string }
}

const output = new Socket({ fd: 3, readable: false, writable: true })
const send = (message: FromPlugin) => void output.write(`${JSON.stringify(message)}\n`)

let asked = 0
const waiting = new Map<number, PromiseWithResolvers<unknown>>()
function ask(call: HostCall, given: unknown): Promise<unknown> {
  const id = ++asked
  const answer = Promise.withResolvers<unknown>()
  waiting.set(id, answer)
  send({ id, call, given })
  return answer.promise
}

for (const level of ['debug', 'info', 'warn', 'error'] as const)
  console[level] = (...parts) => send({ level, log: format(...parts).slice(0, 10_000) })
// biome-ignore lint/suspicious/noConsole: what plugins write with it belongs into their log
console.log = console.info

class Refusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function* readFile(file: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = Buffer.from((await ask('file.read', { file, at })) as string, 'base64')
    if (piece.length === 0) return
    at += piece.length
    yield piece
  }
}

const hostOf = ({ settings, lodgeVersion }: PluginStart): Host => ({
  settings: Object.freeze({ ...settings }),
  lodgeVersion,
  fetch: (url, { method = 'GET', headers = {}, body } = {}) =>
    ask('fetch', {
      ...{ url, method, headers },
      ...(body !== undefined && { body }),
    }) as Promise<Reply>,
  api: (method, path, { body, key } = {}) =>
    ask('api', {
      ...{ method, path },
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
    }) as Promise<ApiReply>,
  storage: {
    get: (key) => ask('storage.get', { key }) as Promise<string | null>,
    set: async (key, value) => void (await ask('storage.set', { key, value })),
    delete: async (key) => void (await ask('storage.delete', { key })),
  },
  readFile,
  refusal: (code, message) => new Refusal(code, message),
})

let handlers: Handlers = {}
async function start(given: PluginStart): Promise<object> {
  const module = (await import(path.join('/plugin', given.main))) as { default: Plugin }
  handlers = await module.default(hostOf(given))
  return {}
}

/** The plugin's handler for a method such as `payment.info`. */
function handlerOf(method: string): Handler | undefined {
  const [kind = '', name = ''] = method.split('.')
  const group: unknown =
    kind === 'plugin' ? handlers : Object.hasOwn(handlers, kind) && handlers[kind as 'payment']
  if (!group || !Object.hasOwn(group, name)) return undefined
  const found = (group as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'function' ? (found.bind(group) as Handler) : undefined
}

async function answer({ call = '', given }: Call): Promise<unknown> {
  if (call === 'start') return start(given as PluginStart)
  if (call === 'ping') return {}
  const handler = handlerOf(call)
  if (!handler) throw new Refusal('unsupported', `There is no ${call}`)
  return (await handler(given)) ?? {}
}

async function received(message: Call): Promise<void> {
  const { id, call, fault, result } = message
  if (call === undefined) {
    const answered = waiting.get(id)
    waiting.delete(id)
    if (fault) answered?.reject(new Error(fault.message))
    else answered?.resolve(result)
    return
  }
  try {
    send({ id, result: await answer(message) })
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null
    const text = error instanceof Error ? error.message : String(error)
    if (code === null) process.stderr.write(`${format(error)}\n`)
    send({ id, fault: { code, message: text.slice(0, 2000) } })
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => void received(JSON.parse(line) as Call))
lines.on('close', () => process.exit())
