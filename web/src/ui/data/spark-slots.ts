/** A value at a moment, in milliseconds since 1970. */
interface SparkPoint {
  readonly at: number
  readonly value: number
}

/**
 * Averages over equal parts of the time up to now, oldest first; null where nothing was measured, so
 * that gaps appear at the right positions.
 */
export function sparkSlots(
  points: readonly SparkPoint[],
  nowMs: number,
  lengthMs: number,
  count: number,
): readonly (number | null)[] {
  const slotMs = lengthMs / count
  const slots = Map.groupBy(points, ({ at }) =>
    Math.min(count - 1, Math.floor((at - (nowMs - lengthMs)) / slotMs)),
  )
  return Array.from({ length: count }, (_, slot) => {
    const inside = slots.get(slot)
    return inside ? inside.reduce((sum, { value }) => sum + value, 0) / inside.length : null
  })
}
