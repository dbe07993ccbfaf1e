import { ImageKind } from '@lodge/shared/branding.ts'
import { invalid } from '../../http/input.ts'

/**
 * Reads an upload (RFC 7578): the field `kind` first, then the file.
 * @throws {Problem} `validation_failed`
 */
export async function readUpload(
  contentType: string,
  body: Buffer,
): Promise<{ kind: ImageKind; bytes: Buffer }> {
  const wrong = (pointer: string, detail: string) => invalid([{ pointer, detail }])
  let form: FormData
  try {
    form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData()
  } catch {
    throw wrong('', 'must be multipart/form-data with the field kind and then a file')
  }
  const [first, second] = [...form]
  if (first?.[0] !== 'kind' || typeof first[1] !== 'string')
    throw wrong('/kind', 'must be the first field')
  const kind = ImageKind.safeParse(first[1])
  if (!kind.success) throw wrong('/kind', `must be one of ${ImageKind.options.join(', ')}`)
  if (!second || typeof second[1] === 'string')
    throw wrong('/file', 'must be a file after the kind')
  return { kind: kind.data, bytes: Buffer.from(await second[1].arrayBuffer()) }
}
