import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Secret } from '../secret.ts'

/**
 * The token that Prometheus presents: configured, or generated at the first start and kept in a
 * file for its `credentials_file`. Instances that share a folder use the same one.
 */
export async function openMetricsToken(
  dataFolder: string,
  configured: Secret | undefined,
): Promise<Secret> {
  if (configured) return configured
  const file = metricsTokenFile(dataFolder)
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (kept !== undefined) return new Secret(kept.trim())
  // In containers, all instances have the same process id.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  // `link` fails if the file exists, so the first instance wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return new Secret((await readFile(file, 'utf8')).trim())
}

export const metricsTokenFile = (dataFolder: string): string =>
  path.join(dataFolder, 'metrics-token')
