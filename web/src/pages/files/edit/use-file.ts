import type { Entry } from '@lodge/shared/files.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { readContent } from '../content.ts'
import { isPackedText } from '../file-kind.ts'
import { decode, type TextFile } from './text-file.ts'
import { type Unpacked, unpack } from './unpack.ts'

export const MOST_BYTES = 2 * 1024 * 1024
const TAIL_BYTES = 64 * 1024

export type OpenFile =
  | { readonly kind: 'text'; readonly entry: Entry; readonly file: TextFile; readonly etag: string }
  | { readonly kind: 'large'; readonly entry: Entry; readonly tail: string | undefined }
  | { readonly kind: 'packed'; readonly entry: Entry; readonly found: Unpacked }
  | { readonly kind: 'binary'; readonly entry: Entry }

async function open(serverId: string, path: string): Promise<OpenFile> {
  const entry = await api('GET /api/servers/{id}/files/stat', {
    params: { id: serverId },
    query: { path },
  })
  if (entry.sizeBytes > MOST_BYTES) {
    const { bytes } = await readContent(serverId, path, TAIL_BYTES)
    // It may begin in the middle of a character.
    const isText = !bytes.includes(0)
    return { kind: 'large', entry, tail: isText ? new TextDecoder().decode(bytes) : undefined }
  }
  const { bytes, etag } = await readContent(serverId, path)
  const found = isPackedText(entry) ? await unpack(bytes) : undefined
  if (found) return { kind: 'packed', entry, found }
  const file = decode(bytes)
  return file ? { kind: 'text', entry, file, etag } : { kind: 'binary', entry }
}

/**
 * A file as it is when the page opens. It is not refetched, so that a newer version does not
 * overwrite what is typed.
 */
export const useFile = (serverId: string, path: string) =>
  useQuery({
    queryKey: ['file', serverId, path],
    queryFn: () => open(serverId, path),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    // Otherwise a refetch would wait for the connection, and replace what was typed meanwhile.
    networkMode: 'always',
    retry: false,
  })
