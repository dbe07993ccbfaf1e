import { buffer } from 'node:stream/consumers'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { FileRefusal } from '../refusal.ts'
import { type ArchiveEntry, invalid, nameIn } from './archive-entry.ts'

const TYPE = 0o170000
const FOLDER = 0o040000
const LINK = 0o120000
const FILE = 0o100000
const UNIX = 3
const MAX_TARGET = 4096

/** The entries of a zip archive. */
export async function* readZip(
  fd: number,
  progress: (part: number) => void,
): AsyncGenerator<ArchiveEntry> {
  let zip: ZipFile
  try {
    zip = await fromFdPromise(fd, { autoClose: false, lazyEntries: true, validateEntrySizes: true })
  } catch (error) {
    throw invalid('it is damaged', error)
  }
  let count = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw invalid('it is encrypted')
      yield await entryOf(zip, entry)
      count += 1
      progress(count / Math.max(1, zip.entryCount))
    }
  } catch (error) {
    if (error instanceof FileRefusal) throw error
    throw invalid('it is damaged', error)
  }
}

async function entryOf(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const mode = entry.versionMadeBy >> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0
  const type = mode & TYPE
  // Some programs write UTF-8 without saying so, which would be read as code page 437.
  const name = nameIn(entry.fileNameRaw, () => entry.fileName).replaceAll('\\', '/')
  const isFolder = name.endsWith('/')
  const looks = {
    mode: mode & 0o777 || (isFolder ? 0o755 : 0o644),
    modifiedSeconds: entry.getLastModDate().getTime() / 1000,
  }
  if (isFolder || type === FOLDER) return { name, kind: 'folder', looks }
  if (type === LINK) {
    if (entry.uncompressedSize > MAX_TARGET) throw invalid('it has an impossible link')
    const target = (await buffer(await zip.openReadStreamPromise(entry))).toString()
    return { name, kind: 'link', looks, target }
  }
  if (type !== 0 && type !== FILE) return { name, kind: 'other', looks }
  return { name, kind: 'file', looks, content: await zip.openReadStreamPromise(entry) }
}
