import http from 'node:http'
import type { Duplex } from 'node:stream'
import { SFTP_PATH, SFTP_PROTOCOL } from '@lodge/shared/files.ts'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import { refusalOf } from '../refusal.ts'
import { Bin, type BinState } from './bin/bin.ts'
import type { DiskFacts } from './quota.ts'
import { Quota } from './quota.ts'
import { type Ask, accessOf, answer, type Handler, invalidRequest } from './requests.ts'
import { routes } from './routes.ts'
import { type SftpParts, serveSftp } from './sftp/session.ts'
import { tidy } from './tidy.ts'
import type { Tree } from './tree.ts'
import { Uploads } from './uploads.ts'

export interface FileService {
  /** Serves one connection. */
  serve(socket: Duplex): void
  tell(facts: DiskFacts): void
  /** Deletes what was left behind; requests need not wait for it. */
  tidy(): Promise<void>
}

/** Fifty rules of a thousand characters each, escaped. */
const MAX_HEADERS = 1024 * 1024

/**
 * The files of one server over HTTP/1.1.
 * @param binChanged told what the agent has to know of the bin
 */
export function fileService(
  tree: Tree,
  log: (error: unknown) => void,
  binChanged: (state: BinState) => void,
): FileService {
  const quota = new Quota(tree.fd)
  const uploads = new Uploads(tree, quota)
  const bin = new Bin(tree, quota, binChanged)
  const handlers = routes({ tree, quota, uploads, bin })
  const server = http.createServer({
    maxHeaderSize: MAX_HEADERS,
    headersTimeout: 30_000,
    keepAliveTimeout: 60_000,
    // A large file takes as long as it takes.
    requestTimeout: 0,
  })
  server.on('request', (request, response) => {
    // A part of an upload that ended early: what is left of it is not read.
    response.on('error', () => {})
    collectAfter(request)
    void handle(handlers, request, response, log)
  })
  server.on('upgrade', (request, socket, head) =>
    speakSftp(request, socket, head, { tree, quota, report: log }),
  )
  server.on('clientError', (_error, socket) => socket.destroy())
  return {
    serve: (socket) => server.emit('connection', socket),
    tell: (facts) => quota.tell(facts),
    async tidy() {
      uploads.tidy()
      await tidy(tree, quota)
      await bin.sweep(0)
    },
  }
}

/** A connection that goes on as SFTP, with the rights and rules of its request. */
function speakSftp(
  request: http.IncomingMessage,
  socket: Duplex,
  head: Buffer,
  parts: Omit<SftpParts, 'access'>,
): void {
  socket.on('error', () => socket.destroy())
  collectAfter(socket)
  try {
    if (request.url !== SFTP_PATH) throw invalidRequest('There is no such request.')
    const access = accessOf(request)
    if (head.byteLength > 0) socket.unshift(head)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${SFTP_PROTOCOL}\r\n\r\n`,
    )
    void serveSftp(socket, { ...parts, access })
  } catch (error) {
    const { status } = refusalOf(error)
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }
}

async function handle(
  handlers: readonly Handler[],
  request: http.IncomingMessage,
  response: http.ServerResponse,
  log: (error: unknown) => void,
): Promise<void> {
  const ending = new AbortController()
  response.once('close', () => ending.abort(new Error('the other end hung up')))
  try {
    const url = new URL(request.url ?? '/', 'http://files')
    const ask: Ask = { request, response, query: url.searchParams, signal: ending.signal }
    for (const { method, path, run } of handlers) {
      const match = method === request.method ? path.exec(url.pathname) : null
      if (match) return await run(ask, match[1] ?? '')
    }
    throw invalidRequest('There is no such request.')
  } catch (error) {
    refuse(error, request, response, ending.signal, log)
  }
}

function refuse(
  error: unknown,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  signal: AbortSignal,
  log: (error: unknown) => void,
): void {
  const refusal = refusalOf(error)
  if (refusal.code === 'file_service_failed' && !signal.aborted) log(error)
  if (response.headersSent) {
    response.destroy()
    return
  }
  // Most of a body may still be on its way: reading all of it would cost more than a new connection.
  if (!request.complete) response.setHeader('connection', 'close')
  answer(response, refusal.status, {
    code: refusal.code,
    detail: refusal.message,
    ...refusal.facts,
  })
}
