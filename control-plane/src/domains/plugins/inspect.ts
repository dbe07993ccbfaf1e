import { createHash } from 'node:crypto'
import { addedPermissions, compareVersions } from '@lodge/shared/plugins/manifest.ts'
import { inWords } from '@lodge/shared/plugins/permission-words.ts'
import type { PluginInspection, PluginOrigin } from '@lodge/shared/plugins/plugin.ts'
import type { Services } from '../../services.ts'
import { packageFrom } from './origin.ts'
import { misfitOf, type Package } from './package/read.ts'
import { findInstalled, type Installed } from './store.ts'

type Given = Pick<Services, 'db' | 'egress' | 'pluginTrust'>

/** What a package is and which permissions it wants, before it is installed. */
export async function inspect(services: Given, origin: PluginOrigin): Promise<PluginInspection> {
  const found = await packageFrom(services, origin)
  const { manifest, files, sha256, signature, signedBy } = found
  const { id, name, version, publisher, description, license, homepage = null, kinds } = manifest
  const installed = await findInstalled(services.db, id)
  const accepted = installed?.version.manifest.permissions ?? []
  return {
    ...{ id, name, version, publisher, description, license, homepage, kinds },
    ...{ signature, sha256, files: files.size },
    signedBy: signedBy && keyPrint(signedBy),
    sizeBytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
    permissions: inWords(manifest.permissions),
    addedPermissions: inWords(addedPermissions(accepted, manifest.permissions)),
    installedVersion: installed?.plugin.version ?? null,
    obstacle: obstacleTo(found, installed),
  }
}

/** A key in the form in which people compare it. */
export const keyPrint = (key: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`

/** Why a package cannot be installed or replace the installed version; null if it can. */
export function obstacleTo(
  { manifest, signature, signedBy }: Pick<Package, 'manifest' | 'signature' | 'signedBy'>,
  installed: Installed | undefined,
): string | null {
  const misfit = misfitOf(manifest)
  if (misfit !== null || !installed) return misfit
  const { plugin, version } = installed
  if (compareVersions(manifest.version, plugin.version) <= 0)
    return `${manifest.name} ${plugin.version} is installed already`
  // Once a plugin is signed, updates must have the same signer: nobody else can replace it.
  if (version.signedBy !== null && version.signedBy !== signedBy)
    return `${manifest.name} was signed by ${keyPrint(version.signedBy)}, and this package is not`
  if (version.signature === 'bundled' && signature !== 'bundled')
    return `${manifest.name} came with the panel: update it from there, or give your package another id`
  return null
}
