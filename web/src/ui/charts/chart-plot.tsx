import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useScheme } from '../../theme/theme-provider.tsx'
import styles from './chart.module.css'
import {
  type ChartData,
  type ChartPanelData,
  type ChartWindow,
  indexAt,
  loneIndexes,
  peakOf,
} from './chart-data.ts'
import { AXIS_FONT, drawGaps, drawLimit, drawMarks, token, writeGaps } from './chart-drawing.ts'
import type { Crosshair } from './chart-keys.ts'
import { timeTicks } from './chart-time.ts'
import { figureText, type ValueScale, valueScale } from './chart-units.ts'
import { t } from './words.ts'

/** Width of the value axis, and the margin on the other side; the lane of events aligns with both. */
export const AXIS_PX = 68
export const END_PX = 12
const TOP_PX = 8
const TIME_AXIS_PX = 24
const PLOT_PX = 172
/** A shorter drag is a click. */
const LEAST_DRAG_PX = 6

interface ChartPlotProps {
  label: string
  data: ChartData
  panel: ChartPanelData
  window: ChartWindow
  widthPx: number
  crosshair: Crosshair
  /** The value at the crosshair, in words. */
  valueText: string
  onPoint: (at: number | undefined) => void
  onSelect: (one: number, other: number) => void
  onKey: (event: KeyboardEvent<HTMLElement>) => void
}

/** The current props, which the plot's callbacks read, so that it need not be recreated. */
type Shown = Pick<ChartPlotProps, 'data' | 'panel' | 'window' | 'onSelect'> & {
  readonly scale: ValueScale
}

/** The lines and, hidden below them, their peaks; the area between them is shaded. */
const rowsOf = ({ times }: ChartData, { series }: ChartPanelData): uPlot.AlignedData => [
  [...times],
  ...series.flatMap(({ values, peaks }) => [[...values], [...(peaks ?? values)]]),
]

function optionsOf(now: () => Shown, widthPx: number): uPlot.Options {
  const axis = {
    stroke: token('text-2'),
    grid: { stroke: token('line'), width: 1 },
    ticks: { show: false },
    font: AXIS_FONT(),
    gap: 6,
  }
  const { series } = now().panel
  const ticks = () => {
    const { from, to } = now().window
    return timeTicks(from, to, widthPx - AXIS_PX - END_PX)
  }
  return {
    width: widthPx,
    height: PLOT_PX,
    padding: [TOP_PX, END_PX, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PX },
      // The crosshair snaps to a value where there is one.
      move: (plot, left, top) => {
        if (left < 0) return [left, top]
        const { data } = now()
        const index = indexAt(data, plot.posToVal(left, 'x'))
        const at = index === undefined ? undefined : data.times[index]
        return [at === undefined ? left : Math.max(0, plot.valToPos(at, 'x')), top]
      },
      dataIdx: (_plot, _series, _closest, at) => indexAt(now().data, at) ?? null,
    },
    scales: {
      x: {
        time: false,
        range: () => {
          const { from, to } = now().window
          return [from, to]
        },
      },
      y: { range: () => [0, now().scale.top] },
    },
    axes: [
      {
        ...axis,
        size: TIME_AXIS_PX,
        splits: () => ticks().map(({ at }) => at),
        values: () => ticks().map(({ label }) => label),
      },
      {
        ...axis,
        size: AXIS_PX,
        splits: () => [...now().scale.ticks],
        values: (_plot, splits) => splits.map((value) => figureText(now().panel.unit, value)),
      },
    ],
    series: [
      {},
      ...series.flatMap(({ name, colour }, index) => [
        {
          label: name,
          stroke: token(`chart-${colour}`),
          width: 1.5,
          points: {
            show: false,
            // Selected values are drawn nevertheless.
            filter: () => loneIndexes(now().panel.series[index]?.values ?? []),
            size: 5,
            width: 0,
            fill: token(`chart-${colour}`),
          },
          ...(series.length === 1 ? { fill: `${token(`chart-${colour}`)}1f` } : {}),
        },
        { label: t.peakOf({ name }), width: 0, points: { show: false } },
      ]),
    ],
    bands: series.map(({ colour }, index) => ({
      series: [2 * index + 2, 2 * index + 1] as [number, number],
      fill: `${token(`chart-${colour}`)}33`,
    })),
    hooks: {
      drawClear: [(plot) => drawGaps(plot, now().data.gaps)],
      draw: [
        (plot) => {
          const { data, panel } = now()
          writeGaps(plot, data.gaps)
          drawMarks(plot, data.marks)
          if (panel.limit !== undefined)
            drawLimit(plot, {
              limit: panel.limit,
              name: t.limitName({ kind: panel.limitKind ?? 'limit' }),
              gaps: data.gaps,
            })
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < LEAST_DRAG_PX) return
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          now().onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
        },
      ],
    },
  }
}

/** The lines of one panel. Its keys move the crosshair that all panels of the board share. */
export function ChartPlot(props: ChartPlotProps) {
  const { label, data, panel, window, widthPx, crosshair, valueText, onPoint, onSelect } = props
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const selects = useRef(false)
  const scale = valueScale(panel.unit, peakOf(data.times, panel, window), panel.limit)
  const shown = useRef<Shown>({ data, panel, window, scale, onSelect })
  shown.current = { data, panel, window, scale, onSelect }
  const scheme = useScheme()
  const shape = `${scheme} ${widthPx} ${panel.unit} ${panel.series.map(({ name }) => name).join()}`

  // New data and another window are set below; only another shape needs a new plot
  useEffect(() => {
    if (!host.current || widthPx === 0) return
    const { data: firstData, panel: firstPanel } = shown.current
    const made = new uPlot(
      optionsOf(() => shown.current, widthPx),
      rowsOf(firstData, firstPanel),
      host.current,
    )
    plot.current = made
    // Redraws what was drawn with a fallback font.
    void document.fonts.ready.then(() => {
      if (plot.current === made) made.redraw(false, true)
    })
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [shape])
  useEffect(() => {
    const made = plot.current
    // Synchronously, because the crosshair is placed on the new scales below.
    made?.batch(() => made.setData(rowsOf(data, panel), true))
  }, [shape, data, panel, window.from, window.to])
  useEffect(() => {
    const made = plot.current
    if (!made) return
    const { at, anchor } = crosshair
    const place = (moment: number): number => Math.max(0, made.valToPos(moment, 'x'))
    const isVisible = at !== undefined && at <= window.to
    made.setCursor({ left: isVisible ? place(at) : -10, top: isVisible ? 0 : -10 }, false)
    // A selection by dragging is the plot's own.
    if (anchor === undefined && !selects.current) return
    selects.current = anchor !== undefined
    const [left, right] =
      at === undefined || anchor === undefined
        ? [0, 0]
        : [place(Math.min(at, anchor)), place(Math.max(at, anchor))]
    const height = made.bbox.height / devicePixelRatio
    made.setSelect({ left, top: 0, width: right - left, height }, false)
  }, [crosshair.at, crosshair.anchor, shape, data, window.from, window.to])

  const point = ({ clientX }: PointerEvent): void => {
    const made = plot.current
    if (!made) return
    const { left, width } = made.over.getBoundingClientRect()
    const place = clientX - left
    onPoint(place < 0 || place > width ? undefined : made.posToVal(place, 'x'))
  }
  const at = crosshair.at ?? window.to
  return (
    <div
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={Math.round(window.from)}
      aria-valuemax={Math.round(window.to)}
      aria-valuenow={Math.round(Math.min(Math.max(at, window.from), window.to))}
      aria-valuetext={valueText}
      onKeyDown={props.onKey}
    >
      <div
        ref={host}
        aria-hidden
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => {
          // A finger is lifted to read the value.
          if (pointerType !== 'touch') onPoint(undefined)
        }}
      />
    </div>
  )
}
