import { type CSSProperties, type KeyboardEvent, useId } from 'react'
import { rich } from '../page/rich.ts'
import styles from './chart.module.css'
import {
  type ChartData,
  type ChartPanelData,
  type ChartSeries,
  type ChartWindow,
  indexAt,
  newestIndex,
  summarize,
} from './chart-data.ts'
import type { Crosshair } from './chart-keys.ts'
import { ChartPlot } from './chart-plot.tsx'
import { momentText } from './chart-time.ts'
import { figureText, shareText } from './chart-units.ts'
import { t } from './words.ts'

interface ChartPanelProps {
  data: ChartData
  panel: ChartPanelData
  window: ChartWindow
  widthPx: number
  crosshair: Crosshair
  onPoint: (at: number | undefined) => void
  onSelect: (one: number, other: number) => void
  onKey: (event: KeyboardEvent<HTMLElement>) => void
}

/** The value of a line at the crosshair, or its newest one. */
function valueAt(data: ChartData, { values }: ChartSeries, at: number | undefined): number | null {
  const index = at === undefined ? newestIndex(data) : indexAt(data, at)
  return index === undefined ? null : (values[index] ?? null)
}

const words = (panel: ChartPanelData, value: number | null): string =>
  value === null ? '–' : figureText(panel.unit, value)

/** The value at the crosshair, for screen readers. */
function spoken({ data, panel, crosshair: { at } }: ChartPanelProps): string {
  if (at === undefined) {
    const newest = panel.series.map((series) =>
      t.value({ name: series.name, value: words(panel, valueAt(data, series, at)) }),
    )
    return t.newest({ values: newest.join(', ') })
  }
  const gap =
    indexAt(data, at) === undefined && data.gaps.find(({ from, to }) => from <= at && at <= to)
  const values = panel.series.map((series) => {
    const value = valueAt(data, series, at)
    return value === null
      ? t.valueMissing({ name: series.name })
      : t.value({ name: series.name, value: words(panel, value) })
  })
  const why = gap ? [gap.words] : []
  return [momentText(at, data.stepSeconds), ...values, ...why].join(', ')
}

/** One row of the legend: value at the crosshair, share of the limit, average and peak. */
function Line({ series, props }: { series: ChartSeries; props: ChartPanelProps }) {
  const { data, panel, window, crosshair } = props
  const value = valueAt(data, series, crosshair.at)
  const { average, peak } = summarize(data.times, series, window)
  const isNamed = series.name !== panel.title
  return (
    <div className={styles.line}>
      <i style={{ background: `var(--l-chart-${series.colour})` } satisfies CSSProperties} />
      {isNamed ? <span>{series.name}</span> : null}
      <b>{words(panel, value)}</b>
      {panel.limit === undefined || value === null ? null : (
        <span className={styles.share}>{shareText(value, panel.limit, panel.limitKind)}</span>
      )}
      <span>{rich(t.average({ value: () => <b>{words(panel, average)}</b> }))}</span>
      <span>{rich(t.peak({ value: () => <b>{words(panel, peak)}</b> }))}</span>
    </div>
  )
}

/** A titled chart with its legend; lines, limit, gaps and events share the axis of the board. */
export function ChartPanel(props: ChartPanelProps) {
  const { panel } = props
  const { limit } = panel
  const id = useId()
  return (
    <figure className={styles.panel} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <h2 id={id}>{panel.title}</h2>
        <div className={styles.legend}>
          {panel.series.map((series) => (
            <Line key={series.name} series={series} props={props} />
          ))}
          {limit === undefined ? null : (
            <div className={styles.line}>
              <i className={styles.limit} />
              <span>
                {rich(
                  t.limit({
                    kind: panel.limitKind ?? 'limit',
                    value: () => <b>{figureText(panel.unit, limit)}</b>,
                  }),
                )}
              </span>
            </div>
          )}
        </div>
      </figcaption>
      <ChartPlot {...props} label={t.overTime({ title: panel.title })} valueText={spoken(props)} />
      {panel.note === undefined ? null : <p className={styles.note}>{panel.note}</p>}
    </figure>
  )
}
