import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { PluginProcesses } from '../../../plugins/processes.ts'
import type { Services } from '../../../services.ts'

/** Keeps a chunk in base64 far below the longest line of the protocol. */
const PIECE_BYTES = 512 * 1024
/** How often a plugin may read a whole file within one call. */
const READINGS = 3

export interface ShownFile {
  readonly sha256: string
  readonly sizeBytes: number
}

interface Showing {
  readonly pluginId: string
  readonly file: ShownFile
  leftBytes: number
}

/** The files that plugins may read at the moment, by the plugin processes of each instance. */
const showings = new WeakMap<PluginProcesses, Map<string, Showing>>()

function showingsOf(plugins: PluginProcesses): Map<string, Showing> {
  const present = showings.get(plugins) ?? new Map<string, Showing>()
  showings.set(plugins, present)
  return present
}

/** Lets one plugin read one file until `call` ends. @param call receives the file's handle */
export async function showFile<T>(
  { plugins }: Pick<Services, 'plugins'>,
  pluginId: string,
  file: ShownFile,
  call: (name: string) => Promise<T>,
): Promise<T> {
  const all = showingsOf(plugins)
  const name = randomUUID()
  all.set(name, { pluginId, file, leftBytes: READINGS * file.sizeBytes })
  try {
    return await call(name)
  } finally {
    all.delete(name)
  }
}

/**
 * The next bytes of a file that this plugin may read, in base64.
 * @throws if it may not, or has read the file often enough
 */
export async function readShown(
  { plugins, blobs }: Pick<Services, 'plugins' | 'blobs'>,
  pluginId: string,
  { file: name, at }: { readonly file: string; readonly at: number },
): Promise<string> {
  const showing = showingsOf(plugins).get(name)
  if (showing?.pluginId !== pluginId) throw new Error('It is not asked about such a file')
  const { sha256, sizeBytes } = showing.file
  if (at >= sizeBytes) return ''
  const end = Math.min(at + PIECE_BYTES, sizeBytes) - 1
  showing.leftBytes -= end - at + 1
  if (showing.leftBytes < 0) throw new Error('It has read the file too often')
  const bytes = await blobs.get(sha256, { start: at, end })
  if (!bytes) throw new Error('The file was deleted')
  return (await buffer(bytes)).toString('base64')
}
