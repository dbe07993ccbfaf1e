import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'

export type TarEntry = Partial<Header> & { readonly name: string; readonly text?: string }

/** A compressed tar archive of exactly these entries, whatever they do. */
export async function tarOf(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack()
  for (const { text = '', ...header } of entries) tar.entry(header, text)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

/** Archives that try to write outside the folder they are unpacked in. */
export const HOSTILE = {
  climbing: [{ name: '../../climbed', text: 'x' }],
  absolute: [{ name: '/tmp/lodge-absolute', text: 'x' }],
  throughLink: [
    { name: 'door', type: 'symlink', linkname: 'tree' },
    { name: 'door/walked', text: 'x' },
    { name: 'door', type: 'symlink', linkname: 'tree' },
    { name: 'door/walked-again', text: 'x' },
  ],
  hardLink: [{ name: 'stolen', type: 'link', linkname: '../packed.zip' }],
} as const satisfies Record<string, readonly TarEntry[]>
