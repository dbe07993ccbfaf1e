import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ServerFiles } from '@lodge/driver/capabilities/files.ts'
import type { FileRules } from '@lodge/shared/file-rules.ts'
import {
  type FileProblem,
  type FileRight,
  type FileWorkDone,
  fileHeaders,
} from '@lodge/shared/files.ts'
import { createLog } from '../../log.ts'
import type { BinState } from '../helper/bin/bin.ts'
import { Helpers, type HelpersOptions } from '../helpers.ts'

/** Another one in each process, so that no test takes the helpers of others for its own. */
export const UID = 200_000 + (process.pid % 90_000)
export const SERVER = 'a-server'

export interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Buffer
  /** Undefined for bytes; `schema.parse` reads it. */
  readonly json: unknown
}

export interface Asking {
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer | AsyncIterable<Uint8Array>
  readonly rules?: FileRules
  readonly may?: readonly FileRight[]
}

/** The real helper of one server, with a folder of its own, and a client that speaks to it. */
export class FileFixture {
  readonly folder: string
  readonly data: string
  helpers: Helpers
  facts: Partial<ServerFiles> = {}
  binChanged: (state: BinState) => void = () => {}
  /** How many tasks were done; the last one's id ends with it. */
  tasks = 0

  private constructor(folder: string) {
    this.folder = folder
    this.data = join(folder, 'data')
    this.helpers = this.#makeHelpers()
  }

  static async open(): Promise<FileFixture> {
    const fixture = new FileFixture(await mkdtemp(join(tmpdir(), 'lodge-file-')))
    // As on a node: anybody may pass, and nobody may look around.
    await chmod(fixture.folder, 0o711)
    await mkdir(fixture.data, { mode: 0o750 })
    await fixture.own('.')
    return fixture
  }

  /** Gives something in the data folder to the server. */
  async own(path: string): Promise<void> {
    if (process.getuid?.() === 0) await chown(join(this.data, path), UID, UID)
  }

  /** Helpers without the sandbox: only the way that paths are opened protects what is outside. */
  openly(): void {
    this.helpers = this.#makeHelpers(async () => ({ why: 'a test' }))
  }

  /** What a driver says of the files. */
  async opened(): Promise<ServerFiles> {
    return {
      folder: this.data,
      uid: process.getuid?.() === 0 ? UID : (process.getuid?.() ?? 0),
      gid: process.getuid?.() === 0 ? UID : (process.getgid?.() ?? 0),
      limitBytes: null,
      usedBytes: 0,
      measuredAtMs: null,
      enforced: false,
      ...this.facts,
    }
  }

  #makeHelpers(sandbox?: HelpersOptions['sandbox']): Helpers {
    const files = { open: () => this.opened(), onRelease: () => {} }
    return new Helpers({
      filesOf: () => files,
      log: createLog(process.env.LODGE_TEST_LOG ?? 'silent'),
      onBin: (_, state) => this.binChanged(state),
      ...(sandbox && { sandbox }),
    })
  }

  /** Kills the helper; the next request starts another one. */
  async killHelper(): Promise<void> {
    await this.helpers.end(SERVER)
  }

  /** One request, with every right unless the test says otherwise. */
  async ask(method: string, path: string, asking: Asking = {}): Promise<Reply> {
    const socket = await this.helpers.connect(SERVER)
    try {
      return await send(socket, method, path, asking)
    } finally {
      socket.destroy()
    }
  }

  list = (path: string, asking: Asking = {}) =>
    this.ask('GET', `/v1/list?path=${encodeURIComponent(path)}`, asking)
  get = (path: string, asking: Asking = {}) =>
    this.ask('GET', `/v1/content?path=${encodeURIComponent(path)}`, asking)
  put = (path: string, body: string | Buffer, asking: Asking = {}) =>
    this.ask('PUT', `/v1/content?path=${encodeURIComponent(path)}`, { ...asking, body })
  do = (work: object, asking: Asking = {}) =>
    this.ask('POST', '/v1/do', { ...asking, body: JSON.stringify(work) })

  /** Long work under an id of its own, with every right unless the document says otherwise. */
  async task(document: object): Promise<{ done?: FileWorkDone; refused?: FileProblem }> {
    this.tasks += 1
    const body = JSON.stringify({ rules: [], may: ['read', 'write', 'delete'], ...document })
    const { bytes } = await this.ask('POST', `/v1/tasks/task-${this.tasks}`, { body })
    return JSON.parse(bytes.toString().trim().split('\n').at(-1) ?? '')
  }

  async close(): Promise<void> {
    await this.helpers.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

export async function send(
  socket: Duplex,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<Reply> {
  const headers = {
    ...fileHeaders(asking.rules ?? [], asking.may ?? ['read', 'write', 'delete']),
    ...asking.headers,
  }
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined)
    const request = http.request({
      createConnection: () => socket,
      method,
      path,
      headers: Object.fromEntries(given),
    })
    request.on('error', reject).on('response', resolve)
    const { body } = asking
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) request.end(body)
    else void write(request, body).catch(reject)
  })
  const bytes = await buffer(response)
  const isJson = response.headers['content-type'] === 'application/json'
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  }
}

async function write(request: http.ClientRequest, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of body) {
    if (request.destroyed) return
    request.write(part)
  }
  request.end()
}
