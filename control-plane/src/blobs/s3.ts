import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { egressAgents } from '@lodge/shared/egress/agents.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { Config } from '../config.ts'
import type { BlobBackend } from './backend.ts'

export type S3Settings = NonNullable<Config['blobs']['s3']>

const PART_BYTES = 8 * 1024 * 1024
/** Parts held in memory at once. */
const PARTS_AT_ONCE = 2
const CONNECT_MS = 5_000
const SILENCE_MS = 20_000

/**
 * Blobs in a bucket of any S3-compatible service. The client library is loaded only if needed. An
 * object appears only after its last part, so partial ones are never visible.
 * @throws {EgressRefused} if the endpoint's address is forbidden
 */
export async function s3Bucket(settings: S3Settings, egress: EgressPolicy): Promise<BlobBackend> {
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, NotFound, S3Client } =
    await import('@aws-sdk/client-s3')
  const { Upload } = await import('@aws-sdk/lib-storage')
  const { bucket, prefix, endpoint, region, keyId, secret } = settings
  const agents = await egressAgents(new URL(endpoint), egress, { keepAlive: true, maxSockets: 16 })
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret.reveal() },
    forcePathStyle: true,
    // Not every S3 service supports the newer checksums; TLS and the digest in the name suffice.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: agents.http,
      httpsAgent: agents.https,
    },
  })
  const named = (sha256: string) => ({
    Bucket: bucket,
    Key: `${prefix}${sha256.slice(0, 2)}/${sha256}`,
  })
  return {
    async keep(file, sha256) {
      const upload = new Upload({
        client,
        params: { ...named(sha256), Body: createReadStream(file) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      })
      await upload.done()
    },
    async sizeOf(sha256) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand(named(sha256)))
        return ContentLength ?? null
      } catch (error) {
        if (error instanceof NotFound) return null
        throw error
      }
    },
    async read(sha256, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body } = await client.send(new GetObjectCommand({ ...named(sha256), Range }))
      if (!(Body instanceof Readable)) throw new Error(`the bucket has no bytes of ${sha256}`)
      return Body
    },
    async delete(sha256) {
      await client.send(new DeleteObjectCommand(named(sha256)))
    },
  }
}
