import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chance } from '@lodge/driver/suite/chance.ts'

export interface TestRegistry {
  /** For example `127.0.0.1:40123`. */
  readonly host: string
  /** User and password of every authenticated request. */
  readonly logins: readonly string[]
  close(): Promise<void>
}

export interface TestRegistryOptions {
  /** The tar file of a root file system, the only layer of `games/server:1`. */
  readonly layerFile: string
  /** Requires this user and password. */
  readonly credential?: { readonly username: string; readonly password: string }
  /** Sends the first half of a layer and then nothing. */
  readonly stall?: boolean
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

/** A registry with one image that implements what a pull needs. */
export async function startRegistry(options: TestRegistryOptions): Promise<TestRegistry> {
  // Random padding makes the layer unique: an engine does not pull a layer it already has.
  const end = Buffer.alloc(512 * (Math.floor(chance() * 2000) + 1))
  const layer = Buffer.concat([await readFile(options.layerFile), end])
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: { Cmd: ['/bin/sh'] },
      rootfs: { type: 'layers', diff_ids: [digest(layer)] },
    }),
  )
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: part('application/vnd.docker.container.image.v1+json', config),
      layers: [part('application/vnd.docker.image.rootfs.diff.tar', layer)],
    }),
  )
  const blobs = new Map([layer, config].map((bytes) => [digest(bytes), bytes]))
  const logins: string[] = []

  const server = createServer((request, response) => {
    const { credential } = options
    const given = request.headers.authorization?.replace('Basic ', '')
    if (given) logins.push(Buffer.from(given, 'base64').toString())
    if (credential && logins.at(-1) !== `${credential.username}:${credential.password}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
      return
    }
    const path = request.url ?? ''
    const blob = blobs.get(/^\/v2\/games\/server\/blobs\/(.*)$/.exec(path)?.[1] ?? '')
    if (path === '/v2/') response.end('{}')
    else if (path.startsWith('/v2/games/server/manifests/')) {
      const known = path.endsWith('/1') || path.endsWith(digest(manifest))
      response.writeHead(known ? 200 : 404, {
        'content-type': MANIFEST,
        'content-length': manifest.length,
        'docker-content-digest': digest(manifest),
      })
      response.end(known ? manifest : undefined)
    } else if (blob) {
      response.writeHead(200, { 'content-length': blob.length })
      if (options.stall && blob === layer) response.write(blob.subarray(0, blob.length / 2))
      else response.end(blob)
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    logins,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function part(mediaType: string, bytes: Buffer) {
  return { mediaType, size: bytes.length, digest: digest(bytes) }
}

function digest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
