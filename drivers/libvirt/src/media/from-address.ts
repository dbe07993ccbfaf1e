import { DriverError } from '@lodge/driver/driver.ts'
import { DownloadRefused, download } from '@lodge/shared/egress/download.ts'
import { type EgressPolicy, EgressRefused } from '@lodge/shared/egress/egress.ts'
import type { MediumRef } from '@lodge/shared/machine-spec.ts'

const RANGE_NOT_SATISFIABLE = 416

/** Opens a medium. The returned offset is where the body starts: the requested one, or 0. */
export type OpenMedium = (
  medium: MediumRef,
  offset: number,
  signal: AbortSignal,
) => Promise<{ readonly offset: number; readonly body: AsyncIterable<Buffer> }>

/**
 * Downloads media from their own addresses, over TLS and from the public internet or where the
 * policy allows. Throws `medium_unavailable`, not retryable when the policy refuses the address or
 * a redirect.
 */
export function mediumFromAddress(policy: EgressPolicy): OpenMedium {
  return async ({ url }, offset, signal) => {
    try {
      return await download(url, policy, signal, offset).catch((error: unknown) => {
        const hasLess = error instanceof DownloadRefused && error.status === RANGE_NOT_SATISFIABLE
        if (hasLess && offset > 0) return download(url, policy, signal)
        throw error
      })
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error
      const { host } = new URL(url)
      throw new DriverError(
        'medium_unavailable',
        `The medium is not fetched from ${host}: ${error.reason}. ` +
          "A host of your own network is allowed by LODGE_EGRESS_HOSTS in the agent's settings.",
        { cause: error },
      )
    }
  }
}
