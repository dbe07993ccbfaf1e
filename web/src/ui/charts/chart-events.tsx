import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { Floating } from '../floating/floating.tsx'
import { Hint } from '../floating/hint.tsx'
import tones from '../page/tone.module.css'
import styles from './chart.module.css'
import type { ChartMark, ChartWindow } from './chart-data.ts'
import { groupMarks, groupName, type MarkGroup } from './chart-marks.ts'
import { AXIS_PX, END_PX } from './chart-plot.tsx'
import { momentText } from './chart-time.ts'
import { t } from './words.ts'

const BUTTON_PX = 26
const BOX_PX = 300

const ICONS = {
  err: CircleAlert,
  warn: CircleAlert,
  ok: CircleCheck,
  info: CircleDot,
  pend: CircleDot,
  idle: CircleDot,
} as const

interface ChartEventsProps {
  marks: readonly ChartMark[]
  window: ChartWindow
  widthPx: number
  /** A link to the whole history. */
  more: ReactNode
}

/** The events on the time axis of the charts below: a button each, with a box that explains it. */
export function ChartEvents({ marks, window, widthPx, more }: ChartEventsProps) {
  const plotPx = widthPx - AXIS_PX - END_PX
  const groups = groupMarks(marks, window, plotPx, BUTTON_PX)
  return (
    <div className={styles.events}>
      <span>{t.events}</span>
      <ul aria-label={t.events}>
        {groups.map((group) => (
          <li
            key={group.marks[0]?.id}
            style={{ left: `${group.place * 100}%` } satisfies CSSProperties}
          >
            <Group group={group} more={more} />
          </li>
        ))}
      </ul>
      {groups.length === 0 ? <p>{t.noEvents}</p> : null}
    </div>
  )
}

function Group({ group, more }: { group: MarkGroup; more: ReactNode }) {
  const id = useId()
  const name = groupName(group)
  const [first] = group.marks
  const Icon = ICONS[group.tone]
  const hint =
    group.marks.length === 1 && first && first.detail !== ''
      ? t.eventHint({ event: name, detail: first.detail })
      : name
  return (
    <>
      <Hint text={hint}>
        <button
          type="button"
          className={`${styles.mark} ${tones[group.tone]}`}
          popoverTarget={id}
          aria-haspopup="dialog"
          aria-label={name}
        >
          {group.marks.length > 1 ? <span>{group.marks.length}</span> : <Icon aria-hidden />}
        </button>
      </Hint>
      <Floating id={id} label={name} role="dialog" width={BOX_PX}>
        {() => (
          <div className={styles.happened}>
            <ol>
              {group.marks.map((mark) => (
                <li key={mark.id} className={tones[mark.tone]}>
                  <i />
                  <b>{mark.word}</b> <time>{momentText(mark.at, 1)}</time>
                  {mark.detail === '' ? null : <p>{mark.detail}</p>}
                </li>
              ))}
            </ol>
            {more}
          </div>
        )}
      </Floating>
    </>
  )
}
