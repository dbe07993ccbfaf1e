import type { PluginOrigin } from '@lodge/shared/plugins/plugin.ts'
import { invalid } from '../../http/input.ts'
import { notFound } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { bundledPackages } from './package/bundled.ts'
import { openPackage, type Package } from './package/read.ts'
import { notValid } from './package/tar.ts'
import { fetchFromRegistry } from './registry.ts'

/**
 * Fetches a package from its source, and checks it.
 * @throws {Problem} if there is none, or it cannot be installed
 */
export async function packageFrom(
  services: Pick<Services, 'egress' | 'pluginTrust'>,
  { source, id, package: given }: PluginOrigin,
): Promise<Package> {
  const { keys } = services.pluginTrust
  if (source === 'upload') {
    if (given === undefined) throw invalid([{ pointer: '/package', detail: 'is needed' }])
    return openPackage(Buffer.from(given, 'base64'), keys)
  }
  if (id === undefined) throw invalid([{ pointer: '/id', detail: 'is needed' }])
  if (given !== undefined)
    throw invalid([{ pointer: '/package', detail: 'is only for the source upload' }])
  if (source === 'bundled') {
    const bundled = (await bundledPackages()).get(id)
    if (!bundled) throw notFound('plugin')
    return bundled
  }
  const opened = await openPackage(await fetchFromRegistry(services, id), keys)
  if (opened.manifest.id !== id)
    throw notValid(`The registry gives the package of ${opened.manifest.id} as ${id}`)
  return opened
}
