import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { evidenceOf } from '../../tools/debian.mjs'

export interface Swift extends AsyncDisposable {
  readonly endpoint: string
  /** Its `host:port`. */
  readonly host: string
}

/** Whether the Debian package is missing. */
export const noSwift = !existsSync(evidenceOf('python3-swift'))

export const SWIFT_KEY = { keyId: 'lodge:tester', secret: 'secret-of-a-bucket' }

/** OpenStack Swift with its S3 interface and an empty bucket. */
export async function startSwift(bucket: string): Promise<Swift> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-swift-'))
  const program = path.join(import.meta.dirname, 'swift-s3.py')
  const { keyId, secret } = SWIFT_KEY
  // Debian's Python, which the package is for.
  const swift = spawn('/usr/bin/python3', [program, folder, keyId, secret, bucket], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(swift, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`swift ended with ${code}`)
  })
  const [port] = await Promise.race([once(createInterface(swift.stdout), 'line'), failed])
  failed.catch(() => undefined)
  const host = `127.0.0.1:${port}`
  return {
    endpoint: `http://${host}`,
    host,
    async [Symbol.asyncDispose]() {
      swift.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
