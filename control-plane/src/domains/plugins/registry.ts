import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { download } from '@lodge/shared/egress/download.ts'
import { call } from '@lodge/shared/egress/egress.ts'
import {
  compareVersions,
  PluginId,
  PluginKind,
  PluginVersion,
  worksWith,
} from '@lodge/shared/plugins/manifest.ts'
import { z } from 'zod'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { LODGE_VERSION } from './package/read.ts'
import { isSignedBy } from './package/signature.ts'

const MAX_INDEX_BYTES = 4 * 1024 * 1024
const MAX_PACKAGE_BYTES = 20 * 1024 * 1024

const Version = z.object({
  version: PluginVersion,
  /** URL of the package, relative to that of the index. */
  address: z.string().min(1).max(2000),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
  engine: z.string().max(40),
  /** Withdrawn: no longer installed. */
  yanked: z.boolean().default(false),
})
const RegistryPlugin = z.object({
  id: PluginId,
  name: z.string().min(1).max(80),
  publisher: z.string().min(1).max(80),
  description: z.string().max(500),
  license: z.string().min(1).max(60),
  homepage: z.url({ protocol: /^https$/ }).optional(),
  kinds: z.array(PluginKind).min(1),
  versions: z.array(Version).max(500),
})
const Index = z.object({
  format: z.literal('lodge-plugins'),
  formatVersion: z.literal(1),
  plugins: z.array(RegistryPlugin).max(5000),
})

/** A plugin of the registry with the newest version that works here. */
export interface Offered extends z.infer<typeof RegistryPlugin> {
  readonly newest: z.infer<typeof Version>
}

type Reach = Pick<Services, 'egress' | 'pluginTrust'>

const failed = (why: string) => new Problem('plugin_registry_failed', `The plugin registry: ${why}`)

/**
 * What the configured registry offers, by id; empty if none is configured. The index is signed by a
 * key that the operator trusts, in a file beside it that ends in `.sig`.
 * @throws {Problem} plugin_registry_failed
 */
export async function readRegistry(reach: Reach): Promise<ReadonlyMap<string, Offered>> {
  const { registry, keys } = reach.pluginTrust
  if (registry === undefined) return new Map()
  const [text, signature] = await Promise.all([
    textAt(reach, registry, MAX_INDEX_BYTES),
    textAt(reach, `${registry}.sig`, 1000),
  ])
  if (!keys.some((key) => isSignedBy(key, text, signature.trim())))
    throw failed('its index is not signed by one of LODGE_PLUGIN_KEYS')
  const parsed = Index.safeParse(json(text))
  if (!parsed.success) throw failed('its index is in a form that is not known here')
  return new Map(
    parsed.data.plugins.flatMap((one) => {
      const newest = one.versions
        .filter(({ yanked, engine }) => !yanked && worksWith(engine, LODGE_VERSION))
        .toSorted((a, b) => compareVersions(b.version, a.version))[0]
      return newest ? [[one.id, { ...one, newest }] as const] : []
    }),
  )
}

/** The package of the newest version of a plugin, checked against the index. @throws {Problem} */
export async function fetchFromRegistry(reach: Reach, id: string): Promise<Buffer> {
  const { registry = '' } = reach.pluginTrust
  const offered = (await readRegistry(reach)).get(id)
  if (!offered) throw new Problem('not_found', 'There is no such plugin in the registry')
  const { address, sha512 } = offered.newest
  const bytes = await bytesAt(reach, resolved(registry, address))
  if (createHash('sha512').update(bytes).digest('hex') !== sha512)
    throw failed(`the package of ${id} is not the one that its index names`)
  return bytes
}

const isAddress = (place: string) => /^https?:\/\//.test(place)

/** The URL of a package that the index names relative to itself. */
function resolved(registry: string, place: string): string {
  if (isAddress(registry)) return new URL(place, registry).href
  const url = new URL(place, `file://${registry}`)
  // An index in a local file may name only files beside itself.
  if (
    url.protocol !== 'file:' ||
    !url.pathname.startsWith(new URL('.', `file://${registry}`).pathname)
  )
    throw failed('it names a package outside of its folder')
  return decodeURIComponent(url.pathname)
}

async function textAt({ egress }: Reach, place: string, maxBytes: number): Promise<string> {
  try {
    if (!isAddress(place)) return await readFile(place, 'utf8')
    const { status, text } = await call(place, {
      ...egress,
      ...{ method: 'GET', headers: { accept: '*/*' }, maxBytes },
    })
    if (status !== 200) throw new Error(`${place} answered ${status}`)
    return text
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error))
  }
}

async function bytesAt({ egress }: Reach, place: string): Promise<Buffer> {
  try {
    if (!isAddress(place)) return await readFile(place)
    const { body } = await download(place, egress, AbortSignal.timeout(60_000))
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of body) {
      bytes += part.length
      if (bytes > MAX_PACKAGE_BYTES) throw new Error('the package is larger than 20 MiB')
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error))
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
