/** The images that a driver has pulled or built on its node. */
export interface Images {
  /**
   * Counts the images. Sizes are the bytes that removing the images would free; shared layers count
   * once.
   */
  report(signal: AbortSignal): Promise<ImageReport>
  /** URLs of the mirrors from which the engine gets images of docker.io. */
  mirrors(signal: AbortSignal): Promise<readonly string[]>
  /** Removes every image that no server currently needs. */
  freeNow(signal: AbortSignal): Promise<CollectedImages>
}

export interface ImageReport {
  readonly count: number
  readonly bytes: number
  readonly unusedCount: number
  readonly unusedBytes: number
}

export interface CollectedImages {
  readonly removed: number
  readonly freedBytes: number
}
