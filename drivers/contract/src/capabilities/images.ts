/** The images that a driver has brought to its node. */
export interface Images {
  /** What is there. Sizes are bytes that go with the images; what they share counts once. */
  report(signal: AbortSignal): Promise<ImageReport>
  /** Removes every image that no server needs at this moment. */
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
