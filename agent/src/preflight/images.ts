import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import type { AnyDriver } from '../drivers.ts'
import { findProgram } from '../find-program.ts'

const REPORT_MS = 10_000

/**
 * Checks whether images can be built here without a registry, and how much space the present ones
 * use.
 */
export async function checkImages(drivers: readonly AnyDriver[]): Promise<PreflightCheck> {
  const [builder, room] = await Promise.all([findProgram('mmdebstrap'), roomOf(drivers)])
  if (builder) {
    const summary = `Debian images can be built here${room}`
    return { id: 'images', state: 'ok', summary, remedy: null }
  }
  return {
    id: 'images',
    state: 'warning',
    summary: `Debian images cannot be built here; images of registries can be used${room}`,
    remedy: 'Install mmdebstrap (apt-get install mmdebstrap)',
  }
}

async function roomOf(drivers: readonly AnyDriver[]): Promise<string> {
  const images = drivers.find((driver) => driver.images)?.images
  const report = await images?.report(AbortSignal.timeout(REPORT_MS)).catch(() => undefined)
  if (!report) return ''
  const { count, bytes, unusedCount, unusedBytes } = report
  if (count === 0) return '; there are none yet'
  const unused = unusedCount === 0 ? 'all in use' : `${formatBytes(unusedBytes)} of it unused`
  return `; ${count === 1 ? 'one takes' : `${count} take`} ${formatBytes(bytes)}, ${unused}`
}
