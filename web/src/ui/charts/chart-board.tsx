import type { MetricsRange } from '@lodge/shared/metrics-time.ts'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Download from 'lucide-react/icons/download'
import Table2 from 'lucide-react/icons/table-2'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../buttons/button.tsx'
import { Segments } from '../choices/segments.tsx'
import { saveCsv } from '../data/save-file.ts'
import styles from './chart.module.css'
import { chartCsv, csvName } from './chart-csv.ts'
import {
  type ChartData,
  type ChartWindow,
  filledTimes,
  indexAt,
  newestIndex,
} from './chart-data.ts'
import { ChartEvents } from './chart-events.tsx'
import { type Crosshair, NO_CROSSHAIR, pressed } from './chart-keys.ts'
import { ChartPanel } from './chart-panel.tsx'
import { ChartTable } from './chart-table.tsx'
import { momentText, spanText } from './chart-time.ts'
import { moved, selected, zoomed } from './chart-window.ts'
import type { ChartAddress } from './use-chart-address.ts'
import { t } from './words.ts'

const ranges = (): readonly { readonly value: MetricsRange; readonly label: string }[] => [
  { value: 'hour', label: t.hour },
  { value: 'day', label: t.day },
  { value: 'week', label: t.week },
  { value: 'month', label: t.month },
  { value: 'quarter', label: t.quarter },
]

/** Other windows, for people who do not drag. */
const parts = (): readonly {
  readonly key: 'earlier' | 'later' | 'out' | 'in'
  readonly label: string
  readonly icon: ReactNode
  readonly to: (window: ChartWindow, at: number | undefined, bounds: ChartWindow) => ChartWindow
  /** Why the window cannot move or zoom further. */
  readonly end: string
}[] => [
  {
    key: 'earlier',
    label: t.earlier,
    icon: <ChevronLeft />,
    to: (window, _at, bounds) => moved(window, -0.5, bounds),
    end: t.oldest,
  },
  {
    key: 'later',
    label: t.later,
    icon: <ChevronRight />,
    to: (window, _at, bounds) => moved(window, 0.5, bounds),
    end: t.newestIsShown,
  },
  {
    key: 'out',
    label: t.zoomOut,
    icon: <ZoomOut />,
    to: (window, at, bounds) => zoomed(window, 2, at, bounds),
    end: t.oldest,
  },
  {
    key: 'in',
    label: t.zoomIn,
    icon: <ZoomIn />,
    to: (window, at, bounds) => zoomed(window, 0.5, at, bounds),
    end: t.closest,
  },
]

interface ChartBoardProps {
  /** Whose metrics these are; names the file. */
  name: string
  data: ChartData
  /** The window that is shown, even where there is no data. */
  window: ChartWindow
  /** The range for which data is kept, which limits zooming out. */
  bounds: ChartWindow
  address: ChartAddress
  /** A link to the history of events; without it the board has none. */
  history?: ReactNode
  /** Shown instead of the charts when there is no data. */
  empty: ReactNode
}

/** Charts on one time axis with a shared crosshair, and the controls for them. */
export function ChartBoard(props: ChartBoardProps) {
  const { name, data, bounds, address, history, empty } = props
  const { range, zoom, choose, show } = address
  const [asTable, setAsTable] = useState(false)
  const [crosshair, setCrosshair] = useState<Crosshair>(NO_CROSSHAIR)
  const [panels, widthPx] = useWidth()
  const isReading = crosshair.at !== undefined
  const window = useHeld(props.window, `${range} ${zoom?.from} ${zoom?.to}`, isReading)
  useEffect(() => setCrosshair(NO_CROSSHAIR), [range, zoom?.from, zoom?.to])

  const pointAt = (at: number | undefined): void => {
    const index = at === undefined ? undefined : indexAt(data, at)
    const exact = index === undefined ? at : data.times[index]
    setCrosshair((old) => (old.at === exact ? old : { at: exact, anchor: undefined }))
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const effect = pressed(event, crosshair, { times: filledTimes(data, window), window, bounds })
    if (!effect) return
    event.preventDefault()
    event.stopPropagation()
    if ('crosshair' in effect) setCrosshair(effect.crosshair)
    else if (effect.window !== null || zoom) show(effect.window)
  }
  const isEmpty = newestIndex(data) === undefined
  return (
    <section className={styles.board} aria-label={t.board({ name })}>
      <div className={styles.bar}>
        <Segments label={t.range} value={range} choices={ranges()} onChange={choose} />
        <div className={styles.tools}>
          {parts().map(({ key, label, icon, to, end }) => {
            const next = to(window, crosshair.at, bounds)
            const same = next.from === window.from && next.to === window.to
            const isThere = same || (key === 'later' && window.to >= bounds.to)
            return (
              <IconButton
                key={key}
                label={label}
                disabledBecause={isThere ? end : undefined}
                onClick={() => show(next)}
              >
                {icon}
              </IconButton>
            )
          })}
          {zoom ? (
            <Button kind="quiet" onClick={() => show(null)}>
              {t.resetZoom}
            </Button>
          ) : null}
        </div>
        <div className={styles.tools}>
          <Button icon={<Table2 />} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {t.table}
          </Button>
          <Button
            icon={<Download />}
            disabledBecause={isEmpty ? t.noData : undefined}
            onClick={() => saveCsv(csvName(t.fileName({ name }), window), chartCsv(data, window))}
          >
            {t.download}
          </Button>
        </div>
      </div>
      {isEmpty ? (
        empty
      ) : asTable ? (
        <div className={styles.sheet}>
          <ChartTable data={data} window={window} />
        </div>
      ) : (
        <div className={styles.sheet}>
          <p className={styles.time}>{timeText(data, window, crosshair)}</p>
          <div ref={panels} className={styles.panels}>
            {history === undefined ? null : (
              <ChartEvents marks={data.marks} window={window} widthPx={widthPx} more={history} />
            )}
            {data.panels.map((panel) => (
              <ChartPanel
                key={panel.title}
                data={data}
                panel={panel}
                window={window}
                widthPx={widthPx}
                crosshair={crosshair}
                onPoint={pointAt}
                onSelect={(one, other) => show(selected(one, other, bounds))}
                onKey={press}
              />
            ))}
          </div>
          <p className={styles.keys}>{t.howTo}</p>
        </div>
      )}
    </section>
  )
}

/** The text of the time that is shown, selected, or at the crosshair. */
function timeText(data: ChartData, window: ChartWindow, { at, anchor }: Crosshair): string {
  if (at === undefined) return spanText(window.from, window.to)
  if (anchor !== undefined && anchor !== at)
    return t.selected({ span: spanText(Math.min(at, anchor), Math.max(at, anchor)) })
  const gap =
    indexAt(data, at) === undefined && data.gaps.find(({ from, to }) => from <= at && at <= to)
  return [momentText(at, data.stepSeconds), ...(gap ? [gap.words] : [])].join(' · ')
}

/** The width of an element's content in pixels; 0 until it is measured. */
function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [widthPx, setWidthPx] = useState(0)
  const observer = useRef<ResizeObserver>(undefined)
  const watch = useRef((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!element) return
    observer.current = new ResizeObserver(() => setWidthPx(Math.floor(element.clientWidth)))
    observer.current.observe(element)
  })
  return [watch.current, widthPx]
}

/** A window that follows the present, but stays put while somebody reads a value in it. */
function useHeld(window: ChartWindow, key: string, isHeld: boolean): ChartWindow {
  const held = useRef({ window, key })
  if (!isHeld || held.current.key !== key) held.current = { window, key }
  return held.current.window
}
