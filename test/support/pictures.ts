import sharp from 'sharp'

/** A picture of one colour. */
export const picture = (
  width = 64,
  height = 64,
  format: 'png' | 'webp' | 'jpeg' = 'png',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: '#3b5bdb' } })
    [format]()
    .toBuffer()

/** The body of an upload as a browser sends it, and its content type. */
export async function uploadOf(
  fields: readonly (readonly [string, string | Buffer])[],
): Promise<{ payload: Buffer; headers: { 'content-type': string } }> {
  const form = new FormData()
  for (const [name, value] of fields)
    form.append(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]))
  const sent = new Response(form)
  return {
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
  }
}
