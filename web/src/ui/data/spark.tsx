/** A line without axes that shows a trend; decoration beside the figure itself. */
export function Spark({ values, max }: { values: readonly number[]; max: number }) {
  const top = Math.max(max, ...values, 1)
  const step = values.length > 1 ? 100 / (values.length - 1) : 100
  const points = values.map(
    (value, index) => `${(index * step).toFixed(2)},${(36 - (value / top) * 34).toFixed(2)}`,
  )
  const line = points.join(' ')
  return (
    <svg viewBox="0 0 100 36" preserveAspectRatio="none" aria-hidden="true">
      {values.length > 1 ? (
        <>
          <polygon points={`0,36 ${line} 100,36`} fill="var(--l-accent-soft)" />
          <polyline
            points={line}
            fill="none"
            stroke="var(--l-accent)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </>
      ) : (
        <line
          x1="0"
          y1="35"
          x2="100"
          y2="35"
          stroke="var(--l-line-strong)"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}
