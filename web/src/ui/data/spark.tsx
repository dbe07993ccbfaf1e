const HEIGHT = 36
/** Half of the line's width, so that it is not clipped at zero and at the top. */
const EDGE = 1

/** The segments of a line between its gaps, as `[first index, values]`. */
function piecesOf(values: readonly (number | null)[]): readonly (readonly [number, number[]])[] {
  const pieces: [number, number[]][] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const last = pieces.at(-1)
    if (last && last[0] + last[1].length === index) last[1].push(value)
    else pieces.push([index, [value]])
  }
  return pieces
}

/** A line without axes that shows a trend; decoration beside the figure itself. */
export function Spark({ values, max }: { values: readonly (number | null)[]; max: number }) {
  const pieces = piecesOf(values)
  const top = Math.max(max, 1, ...pieces.flatMap(([, piece]) => piece))
  const step = values.length > 1 ? 100 / (values.length - 1) : 100
  const x = (index: number): string => (index * step).toFixed(2)
  const y = (value: number): string =>
    (HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE)).toFixed(2)
  return (
    <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line
        x1="0"
        y1={HEIGHT - EDGE / 2}
        x2="100"
        y2={HEIGHT - EDGE / 2}
        stroke="var(--l-line)"
        vectorEffect="non-scaling-stroke"
      />
      {pieces.map(([first, piece]) => {
        // A single value is drawn as a short line.
        const shown = piece.length === 1 ? [...piece, ...piece] : piece
        const line = shown.map((value, index) => `${x(first + index)},${y(value)}`).join(' ')
        const end = x(first + shown.length - 1)
        return (
          <g key={first}>
            <polygon
              points={`${x(first)},${HEIGHT} ${line} ${end},${HEIGHT}`}
              fill="var(--l-chart-1)"
              fillOpacity="0.12"
            />
            <polyline
              points={line}
              fill="none"
              stroke="var(--l-chart-1)"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </g>
        )
      })}
    </svg>
  )
}
