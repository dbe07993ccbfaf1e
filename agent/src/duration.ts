/** A duration of the protocol; `otherwise` when it is missing or zero. */
export const durationMs = (
  duration: { seconds: number; nanos: number } | undefined,
  otherwise: number,
): number =>
  duration && duration.seconds + duration.nanos > 0
    ? duration.seconds * 1000 + duration.nanos / 1e6
    : otherwise
