import { joined } from '../file-names.ts'
import type { Chosen } from './transfer.ts'

type Found = { files: { file: File; path: string }[]; folders: string[] }

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A folder returns its entries in batches, until one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (piece.length === 0) return all
    all.push(...piece)
  }
}

async function walk(entry: FileSystemEntry, into: string, found: Found): Promise<void> {
  const path = joined(into, entry.name)
  if (entry.isFile) {
    found.files.push({ file: await fileOf(entry as FileSystemFileEntry), path })
    return
  }
  const inside = await entriesOf(entry as FileSystemDirectoryEntry)
  if (inside.length === 0) found.folders.push(path)
  for (const one of inside) await walk(one, path, found)
}

/** Everything that was dropped, including the contents of folders. */
export async function dropped(data: DataTransfer, into: string): Promise<Chosen> {
  // Synchronously: after the event the browser discards the entries.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: Found = { files: [], folders: [] }
  for (const entry of entries) await walk(entry, into, found)
  return found
}

/** What was chosen with a button; files of a folder have a relative path. */
export const chosenOf = (files: readonly File[], into: string): Chosen => ({
  files: files.map((file) => ({
    file,
    path: joined(into, file.webkitRelativePath === '' ? file.name : file.webkitRelativePath),
  })),
  folders: [],
})

/**
 * Opens the browser's dialog for files, or for a folder. Resolves to nothing when it is cancelled.
 */
export function pick(isFolder: boolean): Promise<readonly File[]> {
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    multiple: true,
    webkitdirectory: isFolder,
  })
  return new Promise((resolve) => {
    input.onchange = () => resolve([...(input.files ?? [])])
    input.oncancel = () => resolve([])
    input.click()
  })
}
