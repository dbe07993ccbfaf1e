import { MANIFEST_FILE, PluginManifest, worksWith } from '@lodge/shared/plugins/manifest.ts'
import type { PluginSignature } from '@lodge/shared/plugins/plugin.ts'
import release from '../../../../package.json' with { type: 'json' }
import { checkPageFiles } from './page-files.ts'
import { fingerprintOf, whoSigned } from './signature.ts'
import { type Files, notValid, readPackage } from './tar.ts'

/** A package that was read and checked. */
export interface Package {
  readonly manifest: PluginManifest
  readonly files: Files
  readonly sha256: string
  readonly signature: PluginSignature
  readonly signedBy: string | null
}

/** The version of this Lodge. */
export const LODGE_VERSION: string = release.version

/**
 * Reads a third-party package.
 * @throws {Problem} plugin_not_valid, plugin_untrusted
 */
export async function openPackage(packed: Buffer, trusted: readonly string[]): Promise<Package> {
  const files = await readPackage(packed)
  return { ...packageOf(files), ...whoSigned(files, trusted) }
}

/** A package bundled with Lodge. */
export const bundledPackage = (files: Files): Package => ({
  ...packageOf(files),
  signature: 'bundled',
  signedBy: null,
})

function packageOf(files: Files) {
  const file = files.get(MANIFEST_FILE)
  if (!file) throw notValid(`There is no ${MANIFEST_FILE} in the package`)
  const parsed = PluginManifest.safeParse(json(file))
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw notValid(`${MANIFEST_FILE}: ${faults.slice(0, 5).join('; ')}`.slice(0, 1000))
  }
  const manifest = parsed.data
  if (!files.has(manifest.main)) throw notValid(`There is no ${manifest.main} in the package`)
  checkPageFiles(manifest, files)
  return { manifest, files, sha256: fingerprintOf(files) }
}

/** Why a package is incompatible with this version of Lodge; null if it is compatible. */
export const misfitOf = ({ engines, name, version }: PluginManifest): string | null =>
  worksWith(engines.lodge, LODGE_VERSION)
    ? null
    : `${name} ${version} is made for Lodge ${engines.lodge}, and this is ${LODGE_VERSION}`

function json(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}
