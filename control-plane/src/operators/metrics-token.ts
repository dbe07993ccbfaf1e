import { randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Secret } from '../config.ts'

/**
 * What Prometheus shows to read the figures: as configured, or made at the first start and kept in a
 * file that Prometheus can be pointed to (`credentials_file`). Instances that share a folder agree.
 */
export async function openMetricsToken(
  dataFolder: string,
  configured: Secret | undefined,
): Promise<Secret> {
  if (configured) return configured
  const file = metricsTokenFile(dataFolder)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  // The first to place it wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return new Secret((await readFile(file, 'utf8')).trim())
}

export const metricsTokenFile = (dataFolder: string): string =>
  path.join(dataFolder, 'metrics-token')
