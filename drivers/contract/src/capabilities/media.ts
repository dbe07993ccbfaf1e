import type { MediumRef } from '@lodge/shared/machine-spec.ts'
import type { OnProgress } from '../work.ts'

/** A cache of boot media and disk images on the node. */
export interface Media {
  /**
   * Downloads a medium and verifies its fingerprint, size and type, unless it is cached. `apply`
   * and `install` do this themselves. Throws `medium_unavailable`, `medium_invalid`.
   */
  cache(medium: MediumRef, onProgress: OnProgress, signal: AbortSignal): Promise<void>
  /** Removes a medium from the cache unless a machine has it in its drive. */
  drop(sha256: string): Promise<void>
}
