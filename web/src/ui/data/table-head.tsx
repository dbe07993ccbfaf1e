import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import type { PointerEvent } from 'react'
import { BareTick } from '../choices/bare-tick.tsx'
import { Hidden } from '../page/layout.tsx'
import { type Column, columnId } from './column.ts'
import styles from './table.module.css'
import { ROLES } from './table-rows.tsx'
import { t } from './words.ts'

/** The order of the rows: a column's `sort`, with a minus for the highest first. */
export interface Sorting {
  readonly by: string | undefined
  readonly onChange: (by: string) => void
}

interface TableHeadProps<T> {
  columns: readonly Column<T>[]
  sorting: Sorting | undefined
  onWidth: ((column: Column<T>, px: number | null) => void) | undefined
  classOf: (column: Column<T>) => string
  all:
    | {
        readonly some: boolean
        readonly every: boolean
        readonly onChange: (checked: boolean) => void
      }
    | undefined
}

/** The header row of a table, which sorts and resizes its columns. */
export function TableHead<T>({ columns, sorting, onWidth, classOf, all }: TableHeadProps<T>) {
  return (
    <thead>
      <tr {...ROLES.row}>
        {all ? (
          <th scope="col" className={`${styles.tick} ${styles.tight}`}>
            <BareTick
              label={t.selectAll}
              checked={all.every}
              indeterminate={all.some && !all.every}
              onChange={all.onChange}
            />
          </th>
        ) : null}
        {columns.map((column) => (
          <Head
            key={columnId(column)}
            column={column}
            sorting={sorting}
            onWidth={onWidth}
            className={classOf(column)}
          />
        ))}
      </tr>
    </thead>
  )
}

type Direction = 'ascending' | 'descending' | 'none'

function directionOf(sort: string, by: string | undefined): Direction {
  if (by === sort) return 'ascending'
  return by === `-${sort}` ? 'descending' : 'none'
}

interface HeadProps<T> extends Pick<TableHeadProps<T>, 'sorting' | 'onWidth'> {
  column: Column<T>
  className: string
}

function Head<T>({ column, sorting, onWidth, className }: HeadProps<T>) {
  const { header, role, sort, highestFirst, width } = column
  const handle = onWidth && role !== 'acts' ? <Handle column={column} onWidth={onWidth} /> : null
  // A width alone is a hint that a full table ignores.
  const style = width === undefined ? undefined : { width, minWidth: width }
  if (sort === undefined || !sorting)
    return (
      <th scope="col" className={className} style={style}>
        {role === 'acts' ? <Hidden>{header}</Hidden> : header}
        {handle}
      </th>
    )
  const direction = directionOf(sort, sorting.by)
  const descending = direction === 'none' ? highestFirst === true : direction === 'ascending'
  return (
    <th scope="col" className={className} style={style} aria-sort={direction}>
      <button
        type="button"
        className={styles.head}
        onClick={() => sorting.onChange(descending ? `-${sort}` : sort)}
      >
        {header}
        {direction === 'descending' ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />}
      </button>
      {handle}
    </th>
  )
}

const LEAST = 48
const MOST = 1200

/** The right edge of a header, to drag. For keyboards, the menu of columns sets widths. */
function Handle<T>({
  column,
  onWidth,
}: {
  column: Column<T>
  onWidth: (column: Column<T>, px: number | null) => void
}) {
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const grip = event.currentTarget
    const head = grip.closest('th')
    if (!head || event.button !== 0) return
    event.preventDefault()
    grip.setPointerCapture(event.pointerId)
    const from = event.clientX - head.getBoundingClientRect().width
    let width: number | undefined
    const move = ({ clientX }: globalThis.PointerEvent): void => {
      width = Math.round(Math.min(MOST, Math.max(LEAST, clientX - from)))
      head.style.width = `${width}px`
      head.style.minWidth = `${width}px`
    }
    const end = (): void => {
      grip.removeEventListener('pointermove', move)
      if (width !== undefined) onWidth(column, width)
    }
    grip.addEventListener('pointermove', move)
    grip.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <span
      aria-hidden
      className={styles.handle}
      onPointerDown={drag}
      onDoubleClick={() => onWidth(column, null)}
    />
  )
}
