import { type Config, ConfigError } from './config.ts'

/** Which addresses this node may download from. Throws `ConfigError` for an unreadable file. */
export async function egressOf({ egressHosts, egressCa }: Config) {
  const { readEgressPolicy } = await import('@lodge/shared/egress/download.ts')
  const caFile = egressCa === '' ? undefined : egressCa
  return await readEgressPolicy({ allowedHosts: egressHosts, caFile }).catch((error: Error) => {
    throw new ConfigError(`egress-ca: ${error.message}`)
  })
}
