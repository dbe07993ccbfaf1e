import { memo, type Ref } from 'react'
import { BareTick } from '../choices/bare-tick.tsx'
import { type Column, columnId } from './column.ts'
import styles from './table.module.css'
import { t } from './words.ts'

/** Explicit because display:grid on narrow screens removes the implicit ones. */
export const ROLES = {
  table: { role: 'table' },
  row: { role: 'row' },
  cell: { role: 'cell' },
} as const

export interface Choosing {
  readonly ids: ReadonlySet<string>
  readonly nameOf: (id: string) => string
  readonly toggle: (id: string, checked: boolean) => void
}

export interface RowsProps<T> {
  rows: readonly T[]
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  choosing: Choosing | undefined
}

export const classOf = <T,>(column: Column<T>): string =>
  [
    column.role ? styles[column.role] : undefined,
    column.right ? styles.right : undefined,
    column.tight || column.role === 'acts' ? styles.tight : undefined,
    column.secondary ? styles.medium : undefined,
    column.card ? styles[`card-${column.card}`] : undefined,
    column.width === undefined ? undefined : styles.sized,
  ]
    .filter(Boolean)
    .join(' ')

/** All rows of a table. */
export const Rows = <T,>({ rows, columns, keyOf, choosing }: RowsProps<T>) => (
  <tbody>
    {rows.map((row) => {
      const id = keyOf(row)
      return <Line key={id} row={row} columns={columns} {...chosen(id, choosing)} />
    })}
  </tbody>
)

/**
 * What a row needs to know of the selection: minimal, so that ticking one row renders only that row.
 */
export const chosen = (id: string, choosing: Choosing | undefined) => ({
  id,
  selected: choosing?.ids.has(id) ?? false,
  tickLabel: choosing && t.select({ name: choosing.nameOf(id) }),
  toggle: choosing?.toggle,
})

interface LineProps<T> {
  row: T
  id: string
  columns: readonly Column<T>[]
  selected: boolean
  tickLabel: string | undefined
  toggle: Choosing['toggle'] | undefined
  /** Its index among all rows, if only some are rendered. */
  index?: number
  measure?: Ref<HTMLTableRowElement>
}

function AnyLine<T>(props: LineProps<T>) {
  const { row, id, columns, selected, tickLabel, toggle, index, measure } = props
  return (
    <tr
      {...ROLES.row}
      ref={measure}
      tabIndex={-1}
      data-row
      data-key={id}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={selected || undefined}
    >
      {toggle && tickLabel !== undefined ? (
        <td {...ROLES.cell} className={`${styles.tick} ${styles.tight}`}>
          <BareTick
            label={tickLabel}
            checked={selected}
            onChange={(checked) => toggle(id, checked)}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={columnId(column)}
          {...ROLES.cell}
          className={classOf(column)}
          data-label={column.role === undefined ? column.header : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

export const Line = memo(AnyLine) as typeof AnyLine
