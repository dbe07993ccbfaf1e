import { Entry } from '@lodge/shared/files.ts'
import { ApiError } from '../../api.ts'
import { t } from './words.ts'

const addressOf = (serverId: string, query: Readonly<Record<string, string>>): string =>
  `/api/servers/${encodeURIComponent(serverId)}/files/content?${new URLSearchParams(query)}`

/** The URL from which the browser saves a file. */
export const saveAddress = (serverId: string, path: string): string => addressOf(serverId, { path })

/** The URL of a picture or text to display. */
export const showAddress = (serverId: string, path: string): string =>
  addressOf(serverId, { path, preview: 'true' })

/** The URL of an archive with these files and folders, which the node writes while it is sent. */
export function archiveAddress(serverId: string, paths: readonly string[]): string {
  const query = new URLSearchParams(paths.map((path) => ['path', path]))
  return `/api/servers/${encodeURIComponent(serverId)}/files/download?${query}`
}

async function ask(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, { credentials: 'same-origin', ...options }).catch(() => {
    throw refusal(0, t.notReached)
  })
  if (response.ok) return response
  const isJson = response.headers.get('content-type')?.includes('json')
  throw isJson
    ? new ApiError(await response.json())
    : refusal(response.status, t.answered({ status: response.status }))
}

const refusal = (status: number, detail: string): ApiError =>
  new ApiError({
    type: 'about:blank',
    title: t.failed,
    status,
    code: 'no_answer',
    detail,
    instance: '',
  })

/** The bytes of a file, or of its end, with their version. */
export async function readContent(
  serverId: string,
  path: string,
  lastBytes?: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string }> {
  const response = await ask(showAddress(serverId, path), {
    cache: 'no-store',
    headers: lastBytes === undefined ? {} : { range: `bytes=-${lastBytes}` },
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { bytes, etag: (response.headers.get('etag') ?? '').replaceAll('"', '') }
}

/**
 * Writes a file if it is still the version that was read; with null only if it does not exist.
 * @throws {ApiError} file_changed, file_exists
 */
export async function writeContent(
  serverId: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  version: string | null,
): Promise<Entry> {
  const response = await ask(addressOf(serverId, { path }), {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      ...(version === null ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` }),
    },
    body: bytes,
  })
  return Entry.parse(await response.json())
}
