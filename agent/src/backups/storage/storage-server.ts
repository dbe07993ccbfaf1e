import { readdir } from 'node:fs/promises'
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StorageAccess } from '@lodge/shared/backup-work.ts'
import type { Logger } from 'pino'
import {
  FILE_KINDS,
  type FileKind,
  type FileName,
  type RepositoryFiles,
  repositoryFiles,
  Unacceptable,
} from './repository-files.ts'
import { endWith, SESSION_BYTES, SETTINGS } from './session.ts'

const FILE = new RegExp(`^/(${FILE_KINDS.join('|')})/([0-9a-f]{64})?$`)
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/
const LISTING = 'application/vnd.x.restic.rest.v2'

export interface StorageServer {
  /**
   * Serves one repository over this connection. What it may do was decided when the connection was
   * requested: nothing that arrives on it can name another repository.
   */
  serve(repositoryId: string, access: StorageAccess, socket: Duplex): void
  drop(repositoryId: string): Promise<void>
  close(): void
}

interface Asked {
  readonly files: RepositoryFiles
  readonly access: StorageAccess
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** Keeps repositories of other nodes, whose keys it never has, and speaks restic's protocol for it. */
export function storageServer(given: {
  readonly root: string
  /** False when the disk is too full to take more. */
  readonly hasRoom: () => Promise<boolean>
  readonly log: Logger
}): StorageServer {
  const { root, hasRoom, log } = given
  const sessions = new Map<http2.ServerHttp2Session, string>()
  // What a killed process had not received completely.
  const tidied = tidyAll(root).catch((error: unknown) =>
    log.warn({ err: error }, 'could not tidy the repositories of other nodes'),
  )

  function filesOf(repositoryId: string): RepositoryFiles {
    if (!/^[0-9a-f-]{36}$/.test(repositoryId)) throw new Error('not the id of a repository')
    return repositoryFiles(join(root, repositoryId))
  }

  async function answer(asked: Asked, stream: ServerHttp2Stream): Promise<void> {
    const { files, access, method, path } = asked
    const reads = method === 'GET' || method === 'HEAD'
    const refuse = (status: number) => stream.respond({ ':status': status }, { endStream: true })
    if (path === '/?create=true' && method === 'POST') {
      if (access === 'read') return refuse(403)
      await files.create()
      return refuse(200)
    }
    const [, kind, name] = FILE.exec(path) ?? []
    if (kind !== undefined && name === undefined && method === 'GET')
      return await list(asked, stream)
    const file = fileOf(path, kind, name)
    if (!file) return refuse(404)
    if (reads) return await read(asked, file, stream)
    if (!permits(access, method, file)) return refuse(403)
    if (method === 'DELETE') return refuse((await files.remove(file)) ? 200 : 404)
    if (method !== 'POST') return refuse(405)
    if (!(await hasRoom())) return refuse(507)
    return refuse((await files.write(file, stream)) ? 200 : 403)
  }

  return {
    serve(repositoryId, access, socket) {
      const files = filesOf(repositoryId)
      const session = http2.performServerHandshake(socket, { settings: SETTINGS })
      endWith(socket, session)
      session.setLocalWindowSize(SESSION_BYTES)
      sessions.set(session, repositoryId)
      session.once('close', () => sessions.delete(session))
      session.on('error', () => session.destroy())
      session.on('stream', (stream, headers) => {
        const { ':method': method = '', ':path': path = '' } = headers
        stream.on('error', () => undefined)
        tidied
          .then(() => answer({ files, access, method, path, headers }, stream))
          .catch((error: NodeJS.ErrnoException) => {
            const full = error.code === 'ENOSPC' || error.code === 'EDQUOT'
            const status = full ? 507 : error instanceof Unacceptable ? 400 : 500
            if (status === 500)
              log.warn({ err: error, repositoryId }, 'could not serve a repository')
            if (stream.headersSent || stream.destroyed) stream.close()
            else stream.respond({ ':status': status }, { endStream: true })
          })
      })
    },
    async drop(repositoryId) {
      for (const [session, id] of sessions) if (id === repositoryId) session.destroy()
      await filesOf(repositoryId).drop()
    },
    close() {
      for (const session of sessions.keys()) session.destroy()
    },
  }
}

async function tidyAll(root: string): Promise<void> {
  for (const id of (await readdir(root).catch(() => undefined)) ?? [])
    await repositoryFiles(join(root, id)).tidy()
}

/** Locks come and go with every command; nothing else that exists is changed without the right to. */
const permits = (access: StorageAccess, method: string, file: FileName): boolean =>
  method === 'DELETE'
    ? file.kind !== 'config' &&
      (access === 'delete' || (access === 'append' && file.kind === 'locks'))
    : access !== 'read'

function fileOf(path: string, kind?: string, name?: string): FileName | undefined {
  if (path === '/config') return { kind: 'config' }
  return kind !== undefined && name !== undefined ? { kind: kind as FileKind, name } : undefined
}

async function list({ files, path }: Asked, stream: ServerHttp2Stream): Promise<void> {
  const listed = await files.list(path.slice(1, -1) as FileKind)
  stream.respond({ ':status': 200, 'content-type': LISTING })
  stream.end(JSON.stringify(listed))
}

async function read(
  { files, method, headers }: Asked,
  file: FileName,
  stream: ServerHttp2Stream,
): Promise<void> {
  const size = await files.sizeOf(file)
  if (size === undefined) return stream.respond({ ':status': 404 }, { endStream: true })
  const [, first, last] = RANGE.exec(headers.range ?? '') ?? []
  const start = Number(first ?? 0)
  const end = Math.min(Number(last ?? size - 1), size - 1)
  const length = Math.max(0, end - start + 1)
  stream.respond(
    { ':status': first === undefined ? 200 : 206, 'content-length': length },
    { endStream: method === 'HEAD' },
  )
  if (method === 'HEAD') return
  if (length === 0) stream.end()
  else await pipeline(files.read(file, start, end), stream)
}
