import type { Entry } from '@lodge/shared/files.ts'

/** The kind of a file by its name: its icon in the list, and what opens it. */
export type Look = 'folder' | 'link' | 'picture' | 'archive' | 'code' | 'text' | 'program' | 'other'

const PICTURES = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i
const ARCHIVES = /\.(zip|7z|tar|tar\.gz|tgz|tar\.zst)$/i
const CODE =
  /\.(json5?|ya?ml|toml|ini|properties|conf|cfg|xml|html?|css|jsx?|mjs|cjs|tsx?|lua|java|kts?|py|sh|bash|php|sk|lang)$/i
const BINARY =
  /\.(jar|dat|dat_old|mca|mcr|nbt|db|sqlite3?|ldb|exe|dll|so|bin|class|pak|vpk|bsp|gz|zst|xz|bz2|rar|mp[34]|ogg|wav|ttf|woff2?|pdf|lock)$/i

export type Named = Pick<Entry, 'name' | 'kind' | 'targetKind'>

/** A link counts as its target. */
export const kindOf = ({ kind, targetKind }: Pick<Entry, 'kind' | 'targetKind'>): Entry['kind'] =>
  kind === 'link' ? (targetKind ?? 'link') : kind

export const isFolder = (entry: Entry): boolean => kindOf(entry) === 'folder'
export const isArchive = (entry: Entry): boolean =>
  kindOf(entry) === 'file' && ARCHIVES.test(entry.name)

/** A rotated log, for example, but no archive. */
export const isPackedText = ({ name }: Entry): boolean => /(?<!\.tar)\.gz$/i.test(name)

export function lookOf(entry: Named): Look {
  const kind = kindOf(entry)
  if (kind === 'folder') return 'folder'
  if (kind === 'link') return 'link'
  if (kind === 'other') return 'other'
  if (PICTURES.test(entry.name)) return 'picture'
  if (ARCHIVES.test(entry.name)) return 'archive'
  if (CODE.test(entry.name)) return 'code'
  return BINARY.test(entry.name) ? 'program' : 'text'
}
