import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import { entryPath, isMissing, openBeneath } from './beneath.ts'
import type { Parser } from './edit.ts'
import { editFile } from './parsers/file.ts'
import { editIni } from './parsers/ini.ts'
import { editJson } from './parsers/json.ts'
import { editProperties } from './parsers/properties.ts'
import { editToml } from './parsers/toml.ts'
import { editXml } from './parsers/xml.ts'
import { editYaml } from './parsers/yaml.ts'

const MIB = 1024 * 1024

/**
 * Size limits per parser. Those that build a tree need many times the memory and time of the text,
 * and block this thread meanwhile.
 */
const PARSERS: Readonly<
  Record<ConfigFile['parser'], { readonly edit: Parser; readonly bytesMax: number }>
> = {
  file: { edit: editFile, bytesMax: 64 * MIB },
  properties: { edit: editProperties, bytesMax: 8 * MIB },
  ini: { edit: editIni, bytesMax: 8 * MIB },
  json: { edit: editJson, bytesMax: 8 * MIB },
  yaml: { edit: editYaml, bytesMax: MIB / 2 },
  toml: { edit: editToml, bytesMax: MIB },
  xml: { edit: editXml, bytesMax: MIB },
}

export interface ConfigFileFault {
  readonly path: string
  /** What is wrong, worded for the server's owner. */
  readonly detail: string
}

export interface AppliedConfigFiles {
  readonly changed: readonly string[]
  readonly faults: readonly ConfigFileFault[]
}

/**
 * Applies the edits of a server's config files inside its data folder. A file that cannot be edited
 * is left unchanged and reported; the others are still edited. A changed file is replaced
 * atomically and keeps its owner and mode; a new one gets the owner of its folder.
 */
export async function applyConfigFiles(
  dataFolder: string,
  files: readonly ConfigFile[],
): Promise<AppliedConfigFiles> {
  const changed: string[] = []
  const faults: ConfigFileFault[] = []
  for (const file of files) {
    try {
      if (await applyConfigFile(dataFolder, file)) changed.push(file.path)
    } catch (error) {
      faults.push({ path: file.path, detail: describeError(error) })
    }
  }
  return { changed, faults }
}

function describeError(error: unknown): string {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full'
  if (code === 'ELOOP') return 'It is a symbolic link'
  if (code === 'EISDIR') return 'It is a folder'
  if (code !== undefined) return `The file system answered ${code}`
  if (error instanceof RangeError) return 'It is nested too deeply'
  return error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 300) : String(error)
}

async function applyConfigFile(dataFolder: string, file: ConfigFile): Promise<boolean> {
  const beneath = await openBeneath(dataFolder, file.path, file.create)
  if (!beneath) return false
  const { folder, name } = beneath
  try {
    const present = await readPresent(folder, name, PARSERS[file.parser].bytesMax)
    if (!present && !file.create) return false
    const before = present?.text ?? ''
    const after = editText(before, file)
    if (after === before) return false
    await replaceFile(
      folder,
      name,
      encode(after, present?.latin1 ?? false),
      present ?? (await ownerOf(folder)),
    )
    return true
  } finally {
    await folder.close()
  }
}

function editText(text: string, file: ConfigFile): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + PARSERS[file.parser].edit(text.slice(mark.length), file.edits)
}

interface Present {
  readonly text: string
  readonly latin1: boolean
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

async function readPresent(
  folder: FileHandle,
  name: string,
  bytesMax: number,
): Promise<Present | undefined> {
  let handle: FileHandle
  try {
    // Without O_NONBLOCK, opening a named pipe would block until something writes to it.
    handle = await open(
      entryPath(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    const facts = await handle.stat()
    const { size, uid, gid, mode } = facts
    if (!facts.isFile()) throw new Error('It is not a plain file')
    const tooLarge = () => new Error(`It is larger than ${bytesMax / MIB} MiB`)
    if (size > bytesMax) throw tooLarge()
    const bytes = await handle.readFile()
    if (bytes.length > bytesMax) throw tooLarge()
    return { ...decode(bytes), uid, gid, mode: mode & 0o777 }
  } finally {
    await handle.close()
  }
}

/**
 * Decodes as UTF-8 when valid, else one character per byte, so that unedited parts round-trip
 * unchanged.
 */
function decode(bytes: Buffer): { text: string; latin1: boolean } {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      latin1: false,
    }
  } catch {
    return { text: bytes.toString('latin1'), latin1: true }
  }
}

const encode = (text: string, latin1: boolean): Buffer =>
  Buffer.from(text, latin1 ? 'latin1' : 'utf8')

async function ownerOf(folder: FileHandle): Promise<Pick<Present, 'uid' | 'gid' | 'mode'>> {
  const { uid, gid } = await folder.stat()
  return { uid, gid, mode: 0o644 }
}

async function replaceFile(
  folder: FileHandle,
  name: string,
  bytes: Buffer,
  owner: Pick<Present, 'uid' | 'gid' | 'mode'>,
): Promise<void> {
  // A temporary file in the same folder, synced and renamed, so that a crash leaves the old or the
  // new content and never a mixture.
  const temporary = entryPath(folder, `.${randomBytes(12).toString('hex')}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o600)
  try {
    try {
      await handle.writeFile(bytes)
      await handle.chown(owner.uid, owner.gid)
      await handle.chmod(owner.mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, entryPath(folder, name))
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}
