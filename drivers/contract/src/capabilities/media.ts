import type { MediumRef } from '@lodge/shared/machine-spec.ts'
import type { OnProgress } from '../work.ts'

/** A cache of boot media and disk images on the node. */
export interface Media {
  /**
   * Fetches a medium and verifies fingerprint, size and kind, unless it is there. `apply` and `install`
   * do this by themselves. Throws `medium_unavailable`, `medium_invalid`.
   */
  cache(medium: MediumRef, onProgress: OnProgress, signal: AbortSignal): Promise<void>
  /** Takes a medium out of the cache unless a machine has it in its drive. */
  drop(sha256: string): Promise<void>
}
