import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/** An S3 server for tests: one bucket in memory, path style, which requires valid signatures (version 4). */
export interface S3Double extends AsyncDisposable {
  readonly endpoint: string
  readonly host: string
  readonly objects: Map<string, Buffer>
  /** Multipart uploads that were neither completed nor aborted. */
  readonly unfinished: Map<string, Map<number, Buffer>>
  /** Responds with this status from now on; null restores the normal behaviour. */
  failing: number | null
}

export const S3_KEY = { keyId: 'a-key', secret: 'a secret of a bucket' }

export async function startS3Double(bucket: string): Promise<S3Double> {
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `127.0.0.1:${address.port}`
  const double: S3Double = {
    endpoint: `http://${host}`,
    host,
    objects: new Map(),
    unfinished: new Map(),
    failing: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const url = new URL(request.url ?? '/', double.endpoint)
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`)
    const body = await buffer(request)
    if (double.failing !== null) return refuse(double.failing, 'InternalError')
    if (!isSigned(request, url)) return refuse(403, 'SignatureDoesNotMatch')
    if (!url.pathname.startsWith(`/${bucket}/`)) return refuse(404, 'NoSuchBucket')
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2))
    const uploadId = url.searchParams.get('uploadId')
    const parts = uploadId === null ? undefined : double.unfinished.get(uploadId)
    const xml = (text: string) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = randomUUID()
      double.unfinished.set(id, new Map())
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (uploadId !== null && !parts) return refuse(404, 'NoSuchUpload')
    if (parts && uploadId !== null) {
      if (request.method === 'PUT') {
        parts.set(Number(url.searchParams.get('partNumber')), body)
        return response.writeHead(200, { etag: etagOf(body) }).end()
      }
      double.unfinished.delete(uploadId)
      if (request.method === 'DELETE') return response.writeHead(204).end()
      const whole = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part)
      double.objects.set(key, Buffer.concat(whole))
      return xml(
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      )
    }
    if (request.method === 'PUT') {
      double.objects.set(key, body)
      return response.writeHead(200, { etag: etagOf(body) }).end()
    }
    if (request.method === 'DELETE') {
      double.objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = double.objects.get(key)
    if (!found) return refuse(404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const part = range ? found.subarray(Number(range[1]), Number(range[2]) + 1) : found
    response.writeHead(range ? 206 : 200, { 'content-length': part.length, etag: etagOf(found) })
    return response.end(request.method === 'HEAD' ? undefined : part)
  }
  return double
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const AUTHORIZATION =
  /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/

function isSigned({ method, headers }: http.IncomingMessage, url: URL): boolean {
  const found = AUTHORIZATION.exec(headers.authorization ?? '')
  if (!found) return false
  const [, keyId, date = '', region = '', signed = '', signature] = found
  const query = [...url.searchParams].map(([key, value]) => `${encode(key)}=${encode(value)}`)
  const canonical = [
    method,
    url.pathname,
    query.sort().join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(
    hmac as (key: Buffer, text: string) => Buffer,
    hmac(`AWS4${S3_KEY.secret}`, date),
  )
  return keyId === S3_KEY.keyId && hmac(key, text).toString('hex') === signature
}
