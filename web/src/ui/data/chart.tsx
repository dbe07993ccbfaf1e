import { type CSSProperties, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useScheme } from '../../theme/theme-provider.tsx'
import styles from './chart.module.css'
import { timestampText } from './timestamps.ts'

export interface Series {
  readonly name: string
  /** Number of the chart colour, 1 to 8. */
  readonly colour: number
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  /** What the chart shows, for screen readers; the table beside it has the figures. */
  label: string
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  series: readonly Series[]
  /** A horizontal line at this value. */
  limit?: number
  write: (value: number) => string
  /** The values are bytes, so the axis uses powers of 1,024. */
  bytes?: boolean
  /** Charts with the same key share the crosshair. */
  syncKey: string
}

const HEIGHT = 180
const BYTE_STEPS = Array.from({ length: 44 }, (_, power) => 2 ** power)

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--l-${name}`).trim()
}

/** Draws the limit as a dashed line over the plot. */
function drawLimit(plot: uPlot, limit: number): void {
  const y = plot.valToPos(limit, 'y', true)
  const { left, top, width, height } = plot.bbox
  if (y < top || y > top + height) return
  const context = plot.ctx
  context.save()
  context.strokeStyle = token('err')
  context.setLineDash([6, 5])
  context.lineWidth = devicePixelRatio
  context.beginPath()
  context.moveTo(left, y)
  context.lineTo(left + width, y)
  context.stroke()
  context.restore()
}

function optionsOf(
  props: ChartProps,
  width: number,
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const axis = {
    stroke: token('text-2'),
    grid: { stroke: token('line'), width: 1 },
    ticks: { stroke: token('line'), width: 1 },
    font: `12px ${token('font')}`,
  }
  const { limit, write } = props
  return {
    width,
    height: HEIGHT,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: props.syncKey }, points: { size: 6 } },
    scales: {
      y: {
        range: (_plot, _min, max) => [
          0,
          Math.max(max, limit === undefined ? 0 : limit) * 1.08 || 1,
        ],
      },
    },
    axes: [
      axis,
      {
        ...axis,
        size: 74,
        values: (_plot, splits) => splits.map(write),
        ...(props.bytes ? { incrs: BYTE_STEPS } : {}),
      },
    ],
    series: [
      {},
      ...props.series.map(({ name, colour }) => ({
        label: name,
        stroke: token(`chart-${colour}`),
        width: 1.5,
        fill: `${token(`chart-${colour}`)}22`,
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)],
      ...(limit === undefined ? {} : { draw: [(plot: uPlot) => drawLimit(plot, limit)] }),
    },
  }
}

const dataOf = ({ times, series }: ChartProps): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => [...values]),
]

/** Lines over time with a crosshair; the legend shows the values under it, or the newest ones. */
export function Chart(props: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [index, setIndex] = useState<number | null>(null)
  const scheme = useScheme()
  const shape = `${scheme} ${props.label} ${props.limit} ${props.series.length}`

  // New data is set below; only another shape needs a new plot
  useEffect(() => {
    const host = element.current
    if (!host) return
    const made = new uPlot(optionsOf(props, host.clientWidth, setIndex), dataOf(props), host)
    plot.current = made
    const observer = new ResizeObserver(() =>
      made.setSize({ width: host.clientWidth, height: HEIGHT }),
    )
    observer.observe(host)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [shape])
  useEffect(() => plot.current?.setData(dataOf(props)), [props.times, props.series])

  const at = index ?? props.times.length - 1
  const time = props.times[at]
  return (
    <figure className={styles.chart} aria-label={props.label}>
      <div ref={element} className={styles.plot} aria-hidden />
      <figcaption className={styles.legend}>
        {props.series.map(({ name, colour, values }) => {
          const value = values[at]
          return (
            <span key={name}>
              <i style={{ background: `var(--l-chart-${colour})` } satisfies CSSProperties} />
              {name} <b>{value === null || value === undefined ? '–' : props.write(value)}</b>
            </span>
          )
        })}
        {time === undefined ? null : <span>{timestampText(time * 1000)}</span>}
      </figcaption>
    </figure>
  )
}
