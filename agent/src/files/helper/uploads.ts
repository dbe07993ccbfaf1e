import { createHash, randomUUID } from 'node:crypto'
import {
  constants,
  fstatSync,
  futimesSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import {
  UPLOAD_DAYS,
  type UploadPart,
  UploadStart,
  type UploadStarted,
  type UploadState,
} from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { namesIn } from './list.ts'
import { type Asker, inPlaceToWrite } from './place.ts'
import type { Quota } from './quota.ts'
import { O_PATH } from './system.ts'
import { at, openIn, type Tree, using } from './tree.ts'
import { fsync, settle, writeStream } from './write.ts'

const PART = constants.O_RDWR | constants.O_CREAT
const DAY_MS = 86_400_000

/** Uploads that survive every restart: the offset is the size of the file so far. */
export class Uploads {
  readonly #tree: Tree
  readonly #quota: Quota
  /** Uploads that a request is writing to, with how to end that request. */
  readonly #writing = new Map<string, { end(): void; done: Promise<void> }>()

  constructor(tree: Tree, quota: Quota) {
    this.#tree = tree
    this.#quota = quota
  }

  start(asker: Asker, start: UploadStart): UploadStarted {
    requireTarget(asker, start)
    const id = createHash('sha256')
      .update(JSON.stringify([start.path, start.sizeBytes, start.modifiedAt, start.replace]))
      .digest('base64url')
    return this.#inFolder((folder) => {
      const fd = openIn(folder, id, PART, 0o600)
      return using(fd, () => {
        const { size } = fstatSync(fd)
        this.#quota.require(Math.max(0, start.sizeBytes - size))
        const fresh = at(folder, `${id}.${randomUUID()}`)
        writeFileSync(fresh, JSON.stringify(start), { mode: 0o600, flag: 'wx' })
        renameSync(fresh, at(folder, `${id}.json`))
        return { uploadId: id, offsetBytes: Math.min(size, start.sizeBytes) }
      })
    })
  }

  state(asker: Asker, id: string): UploadState {
    return this.#inFolder((folder) => {
      const { path, sizeBytes } = known(asker, folder, id)
      return { offsetBytes: this.#size(folder, id), sizeBytes, path }
    })
  }

  /** Writes what begins at `offset`, and moves the file to its place when it is complete. */
  async write(
    asker: Asker,
    id: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
    end: () => void,
  ): Promise<UploadPart> {
    // The connection of an earlier part may be dead without anybody having noticed. Others may be
    // waiting for its end as well, and only one at a time may write.
    for (let earlier = this.#writing.get(id); earlier; earlier = this.#writing.get(id)) {
      earlier.end()
      await earlier.done
    }
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const own = { end, done }
    this.#writing.set(id, own)
    try {
      return await this.#inFolder((folder) => this.#append(asker, folder, id, offset, body))
    } finally {
      if (this.#writing.get(id) === own) this.#writing.delete(id)
      resolve()
    }
  }

  async #append(
    asker: Asker,
    folder: number,
    id: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<UploadPart> {
    const start = known(asker, folder, id)
    requireTarget(asker, start)
    return await using(openIn(folder, id, constants.O_RDWR), async (fd) => {
      const { size } = fstatSync(fd)
      if (offset !== size) {
        throw new FileRefusal('wrong_offset', `The upload goes on at byte ${size}.`, {
          facts: { offsetBytes: size },
        })
      }
      const offsetBytes = await writeStream(fd, body, size, this.#quota, {
        mostBytes: start.sizeBytes - size,
      })
      if (offsetBytes < start.sizeBytes) return { offsetBytes }
      await fsync(fd)
      if (start.modifiedAt !== undefined) {
        const seconds = Date.parse(start.modifiedAt) / 1000
        futimesSync(fd, seconds, seconds)
      }
      const entry = inPlaceToWrite(asker, start.path, true, (place) =>
        settle(asker, { fd, at: at(folder, id) }, place, start.path, {
          absent: !start.replace,
          mode: 0o644,
          quota: this.#quota,
        }),
      )
      forget(folder, id)
      return { offsetBytes, entry }
    })
  }

  async drop(asker: Asker, id: string): Promise<void> {
    this.#inFolder((folder) => known(asker, folder, id))
    // What the last part still writes would count after the file is gone.
    for (let last = this.#writing.get(id); last; last = this.#writing.get(id)) {
      last.end()
      await last.done
    }
    this.#inFolder((folder) => {
      known(asker, folder, id)
      this.#quota.take(-this.#size(folder, id))
      for (const name of [id, `${id}.json`]) unlessMissing(() => unlinkSync(at(folder, name)))
    })
  }

  /** Deletes uploads that nobody went on with for days. */
  tidy(): void {
    this.#inFolder((folder) => {
      for (const { name } of namesIn(folder)) {
        const text = name.toString()
        const stats = unlessMissing(() =>
          using(openIn(folder, text, constants.O_RDONLY), (fd) => fstatSync(fd)),
        )
        if (!stats || stats.mtimeMs > Date.now() - UPLOAD_DAYS * DAY_MS) continue
        unlessMissing(() => {
          unlinkSync(at(folder, text))
          this.#quota.count(-stats.size)
        })
      }
    })
  }

  #inFolder<T>(work: (folder: number) => T): T {
    return using(this.#tree.hidden('uploads'), work)
  }

  #size(folder: number, id: string): number {
    const size = unlessMissing(() =>
      using(openIn(folder, id, constants.O_RDONLY), (fd) => fstatSync(fd).size),
    )
    return size ?? 0
  }
}

/** The upload that an id names, if this request may write its file. */
function known({ access }: Asker, folder: number, id: string): UploadStart {
  let text: string
  try {
    text = using(openIn(folder, `${id}.json`, constants.O_RDONLY), (fd) => {
      if (fstatSync(fd).size > 64 * 1024) throw new Error('too large')
      return readFileSync(fd, 'utf8')
    })
  } catch (error) {
    throw new FileRefusal('file_not_found', 'There is no such upload.', { cause: error })
  }
  const start = UploadStart.safeParse(JSON.parse(text))
  if (!start.success) throw new FileRefusal('file_not_found', 'There is no such upload.')
  access.require(start.data.path, 'write')
  return start.data
}

/** Refuses an upload that could not end well before its bytes are sent. */
function requireTarget(asker: Asker, { path, replace }: UploadStart): void {
  asker.access.require(path, 'write')
  let kind: 'file' | 'folder' | 'other'
  try {
    kind = using(asker.tree.open(path, O_PATH), (fd) => {
      asker.access.require(asker.tree.pathOf(fd), 'write')
      const stats = fstatSync(fd)
      return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
    })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (kind === 'folder') throw new FileRefusal('is_a_folder', `${path} is a folder, not a file.`)
  if (kind === 'other') throw new FileRefusal('file_forbidden', `${path} is not a file.`)
  if (!replace) throw new FileRefusal('file_exists', `There is already something at ${path}.`)
}

const forget = (folder: number, id: string) =>
  unlessMissing(() => unlinkSync(at(folder, `${id}.json`)))

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
