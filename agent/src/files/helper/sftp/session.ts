import { once } from 'node:events'
import type { BigIntStats } from 'node:fs'
import { posix } from 'node:path'
import type { Duplex } from 'node:stream'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FilePath } from '@lodge/shared/files.ts'
import { FileRefusal, refusalOf } from '../../refusal.ts'
import type { Asker } from '../place.ts'
import type { Quota } from '../quota.ts'
import { attributesOf, lineOf, readAttributes } from './attributes.ts'
import * as work from './file-work.ts'
import {
  MAX_DATA_BYTES,
  MAX_HANDLES,
  OpenFile,
  OpenFolder,
  openFile,
  openFolder,
  type Shown,
} from './handles.ts'
import {
  BadPacket,
  field,
  MAX_PACKET_BYTES,
  PacketReader,
  packet,
  packetsOf,
  REPLY,
  REQUEST,
  STATUS,
  status,
} from './packets.ts'
import { bytesOf, type Reads, readParts, withReadsJoined } from './reads.ts'
import { volumeOf } from './volume.ts'

const EXTENSIONS = {
  'posix-rename@openssh.com': '1',
  'statvfs@openssh.com': '2',
  'fstatvfs@openssh.com': '2',
  'hardlink@openssh.com': '1',
  'fsync@openssh.com': '1',
  'limits@openssh.com': '1',
} as const

/** Replies that wait for the client while the next ones are made. */
const AHEAD_BYTES = 1024 * 1024

export interface SftpParts extends Asker {
  readonly quota: Quota
  /** Hears of failures of the service itself. */
  readonly report: (error: unknown) => void
}

/** Speaks SFTP with one client until it hangs up. Its requests are answered one after the other. */
export async function serveSftp(stream: Duplex, parts: SftpParts): Promise<void> {
  const session = new Session(parts)
  try {
    for await (const arrived of packetsOf(stream))
      for (const asked of withReadsJoined(arrived))
        for await (const reply of session.answer(asked))
          if (!stream.write(reply) && stream.writableLength > AHEAD_BYTES)
            await once(stream, 'drain')
    stream.end()
  } catch (error) {
    stream.destroy()
    const hungUp = errorCode(error) !== undefined
    if (!(error instanceof BadPacket) && !hungUp) parts.report(error)
  } finally {
    session.close()
  }
}

/** A path as the client has it, which may be relative to the folder of the server. */
function pathOf(text: string): string {
  const path = FilePath.safeParse(posix.resolve('/', text))
  if (path.success) return path.data
  throw new FileRefusal('invalid_path', 'The path is not possible.')
}

class Session {
  readonly #parts: SftpParts
  readonly #open = new Map<string, OpenFile | OpenFolder>()
  #count = 0

  constructor(parts: SftpParts) {
    this.#parts = parts
  }

  close(): void {
    for (const one of this.#open.values()) one.close()
  }

  async *answer(asked: Buffer | Reads): AsyncGenerator<Buffer> {
    if (Buffer.isBuffer(asked)) yield await this.#answer(asked)
    else yield* this.#read(asked)
  }

  async #answer(bytes: Buffer): Promise<Buffer> {
    const request = new PacketReader(bytes)
    const type = request.byte()
    if (type === REQUEST.init) return version()
    const id = field.uint32(request.uint32())
    try {
      return await this.#do(type, id, request)
    } catch (error) {
      if (error instanceof BadPacket) throw error
      return this.#refuse(id, error)
    }
  }

  async *#read({ handle, offset, parts }: Reads): AsyncGenerator<Buffer> {
    let [from, rest] = [offset, parts]
    for (let [first] = rest; first; [first] = rest) {
      try {
        const { reply, answered } = await readParts(this.#file(handle), from, rest)
        yield reply
        from += bytesOf(rest.slice(0, answered))
        rest = rest.slice(answered)
      } catch (error) {
        yield this.#refuse(first.id, error)
        from += first.length
        rest = rest.slice(1)
      }
    }
  }

  #refuse(id: Buffer, error: unknown): Buffer {
    const { code, message } = refusalOf(error)
    if (code === 'file_service_failed') this.#parts.report(error)
    if (code === 'file_not_found') return status(id, STATUS.noSuchFile, message)
    if (code === 'file_forbidden') return status(id, STATUS.permissionDenied, message)
    return status(id, STATUS.failure, message)
  }

  async #do(type: number, id: Buffer, request: PacketReader): Promise<Buffer> {
    const { quota } = this.#parts
    const path = () => pathOf(request.text())
    switch (type) {
      case REQUEST.open: {
        const [at, flags] = [path(), request.uint32()]
        const { mode } = readAttributes(request)
        return this.#keep(id, () => openFile(this.#parts, quota, at, flags, mode))
      }
      case REQUEST.opendir: {
        const at = path()
        return this.#keep(id, () => openFolder(this.#parts, at))
      }
      case REQUEST.write:
        await this.#file(request.text()).write(...dataOf(request))
        return done(id)
      case REQUEST.readdir:
        return namesOf(id, this.#folder(request).next())
      case REQUEST.close:
        this.#forget(request.text())
        return done(id)
      case REQUEST.fstat:
        return look(id, work.lookAtOpen(this.#handle(request.text()).fd))
      case REQUEST.fsetstat: {
        const { fd } = this.#handle(request.text())
        work.change(this.#parts, quota, fd, readAttributes(request))
        return done(id)
      }
      case REQUEST.lstat:
        return look(id, work.lookAt(this.#parts, path()))
      case REQUEST.stat:
        return look(id, work.lookWhereItLeads(this.#parts, path()))
      case REQUEST.setstat:
        work.changeAt(this.#parts, quota, path(), readAttributes(request))
        return done(id)
      case REQUEST.remove:
        work.removeFile(this.#parts, quota, path())
        return done(id)
      case REQUEST.mkdir:
        work.makeFolderAt(this.#parts, path(), readAttributes(request).mode)
        return done(id)
      case REQUEST.rmdir:
        work.removeFolder(this.#parts, path())
        return done(id)
      case REQUEST.rename:
        work.move(this.#parts, path(), path(), false)
        return done(id)
      case REQUEST.readlink:
        return oneName(id, work.readLink(this.#parts, path()))
      case REQUEST.symlink: {
        // The target first, as OpenSSH has it, not the other way round as the draft has.
        const target = request.text()
        work.makeLink(this.#parts, path(), target)
        return done(id)
      }
      case REQUEST.realpath:
        return oneName(id, path())
      case REQUEST.extended:
        return this.#extended(id, request)
      default:
        return status(id, STATUS.unsupported, 'This server does not know the request.')
    }
  }

  async #extended(id: Buffer, request: PacketReader): Promise<Buffer> {
    const { quota, tree } = this.#parts
    const path = () => pathOf(request.text())
    switch (request.text()) {
      case 'posix-rename@openssh.com':
        work.move(this.#parts, path(), path(), true)
        return done(id)
      case 'hardlink@openssh.com':
        work.makeHardLink(this.#parts, path(), path())
        return done(id)
      case 'fsync@openssh.com':
        await this.#file(request.text()).sync()
        return done(id)
      case 'statvfs@openssh.com':
        work.lookWhereItLeads(this.#parts, path())
        return packet(REPLY.extended, id, volumeOf(tree, quota))
      case 'fstatvfs@openssh.com':
        this.#handle(request.text())
        return packet(REPLY.extended, id, volumeOf(tree, quota))
      case 'limits@openssh.com': {
        const limits = [MAX_PACKET_BYTES, MAX_DATA_BYTES, MAX_DATA_BYTES, MAX_HANDLES]
        return packet(REPLY.extended, id, ...limits.map(field.uint64))
      }
      default:
        return status(id, STATUS.unsupported, 'This server does not know the request.')
    }
  }

  #keep(id: Buffer, open: () => OpenFile | OpenFolder): Buffer {
    if (this.#open.size >= MAX_HANDLES)
      throw new FileRefusal('invalid_path', 'Too many files are open: close some of them.')
    const opened = open()
    this.#count += 1
    const handle = String(this.#count)
    this.#open.set(handle, opened)
    return packet(REPLY.handle, id, field.text(handle))
  }

  #forget(handle: string): void {
    this.#handle(handle).close()
    this.#open.delete(handle)
  }

  #handle(handle: string): OpenFile | OpenFolder {
    const found = this.#open.get(handle)
    if (found) return found
    throw new FileRefusal('invalid_path', 'This file is not open.')
  }

  #file(handle: string): OpenFile {
    const found = this.#handle(handle)
    if (found instanceof OpenFile) return found
    throw new FileRefusal('is_a_folder', 'This is a folder, not a file.')
  }

  #folder(request: PacketReader): OpenFolder {
    const found = this.#handle(request.text())
    if (found instanceof OpenFolder) return found
    throw new FileRefusal('not_a_folder', 'This is a file, not a folder.')
  }
}

function dataOf(request: PacketReader): [bytes: Buffer, offset: number] {
  const offset = request.uint64()
  return [request.bytes(), offset]
}

const version = (): Buffer =>
  packet(REPLY.version, field.uint32(3), ...Object.entries(EXTENSIONS).flat().map(field.text))

const done = (id: Buffer): Buffer => status(id, STATUS.ok, '')

const look = (id: Buffer, stats: BigIntStats): Buffer =>
  packet(REPLY.attributes, id, attributesOf(stats))

const oneName = (id: Buffer, name: string | Buffer): Buffer =>
  packet(
    REPLY.name,
    ...[id, field.uint32(1), field.text(name), field.text(name)],
    // No attributes.
    field.uint32(0),
  )

function namesOf(id: Buffer, shown: readonly Shown[] | undefined): Buffer {
  if (!shown) return status(id, STATUS.endOfFile, 'There is nothing more.')
  const entries = shown.flatMap(({ name, stats }) => [
    field.text(name),
    field.text(lineOf(name, stats)),
    attributesOf(stats),
  ])
  return packet(REPLY.name, id, field.uint32(shown.length), ...entries)
}
