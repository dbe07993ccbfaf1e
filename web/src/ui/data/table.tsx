import {
  type ReactNode,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import { part } from '../page/part.tsx'
import { isNarrow } from '../page/use-narrow.ts'
import type { Column } from './column.ts'
import styles from './table.module.css'
import { type Sorting, TableHead } from './table-head.tsx'
import { type Choosing, classOf, ROLES, Rows, type RowsProps } from './table-rows.tsx'
import { useRowKeys } from './use-row-keys.ts'

export type { Column } from './column.ts'

// `part` forgets that the component is generic.
const VirtualRows = part(() => import('./virtual-rows.tsx')) as unknown as <T>(
  props: RowsProps<T> & { fallback: ReactNode; onLost: () => void },
) => ReactNode
/** Up to this many columns fit on a small desktop. */
const ROOMY = 7
/** With more rows than this, only those near the window are rendered. */
const MANY = 200
/** How many rows fill the window; on narrow screens they are cards. */
const windowful = (): number => Math.ceil(innerHeight / (isNarrow() ? 100 : 34))
/** How many more rows are rendered per step: few enough that a slow phone stays responsive. */
const STEP = 8
/** If the code for the others cannot be loaded, the first rows stay. */
const keepFirst = (): void => undefined

interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
  readonly nameOf: (id: string) => string
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  selection?: Selection
  /** Heads of columns with a `sort` order the list. */
  sorting?: Sorting
  /** Headers can be dragged to resize; null restores the width of the content. */
  onWidth?: (column: Column<T>, px: number | null) => void
  /** Marks the main list of its page: j and k go through its rows, x selects, Enter opens. */
  keys?: boolean
  /** The rows are from an earlier query; those of the current one are being loaded. */
  waiting?: boolean
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
  /** Columns of equal width, so that stacked tables align. */
  even?: boolean
}

/** Renders the visible rows first, and then the others, a few after each paint. */
function useInSteps<T>(rows: readonly T[]): readonly T[] {
  const [count, setCount] = useState(windowful)
  const isAll = count >= rows.length || rows.length > MANY
  useEffect(() => {
    if (!isAll) startTransition(() => setCount((before) => before + STEP))
  }, [isAll, count])
  return isAll ? rows : rows.slice(0, count)
}

/** A table that turns into cards below 768 pixels. */
export function Table<T>(props: TableProps<T>) {
  const { label, rows, columns, keyOf, selection, sorting, onWidth, keys, waiting, empty, even } =
    props
  const wrap = useRef<HTMLDivElement>(null)
  useRowKeys(wrap, keys ?? false)
  const latest = useRef(selection)
  latest.current = selection
  const toggle = useCallback((id: string, checked: boolean): void => {
    const next = new Set(latest.current?.ids)
    if (checked) next.add(id)
    else next.delete(id)
    latest.current?.onChange(next)
  }, [])
  // Rendered after the paint that responds to a click.
  const drawn = useInSteps(useDeferredValue(rows))
  if (rows.length === 0) return empty

  const choosing: Choosing | undefined = selection && { ...selection, toggle }
  const many = rows.length > MANY
  const body = { rows, columns, keyOf, choosing }
  return (
    <div ref={wrap} className={styles.wrap} aria-busy={waiting || drawn !== rows || undefined}>
      <table
        className={[
          styles.table,
          (even || many) && styles.even,
          columns.length + (selection ? 1 : 0) > ROOMY && styles.crowded,
          waiting && styles.waiting,
        ]
          .filter(Boolean)
          .join(' ')}
        {...ROLES.table}
        aria-label={label}
        aria-rowcount={many ? rows.length + 1 : undefined}
      >
        <TableHead
          columns={columns}
          sorting={sorting}
          onWidth={onWidth}
          classOf={classOf}
          all={
            selection && {
              some: selection.ids.size > 0 && rows.some((row) => selection.ids.has(keyOf(row))),
              every: rows.every((row) => selection.ids.has(keyOf(row))),
              onChange: (checked) => selection.onChange(new Set(checked ? rows.map(keyOf) : [])),
            }
          }
        />
        {many ? (
          <VirtualRows
            {...body}
            fallback={<Rows {...body} rows={rows.slice(0, MANY)} />}
            onLost={keepFirst}
          />
        ) : (
          <Rows {...body} rows={drawn} />
        )}
      </table>
    </div>
  )
}
