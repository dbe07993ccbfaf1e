import type { ReactNode } from 'react'
import { Tick } from '../choices/tick.tsx'
import { Hidden } from '../page/layout.tsx'
import styles from './table.module.css'

export interface Column<T> {
  readonly header: string
  readonly cell: (row: T) => ReactNode
  /** `title` heads the card on narrow screens, `acts` is in its corner. */
  readonly role?: 'title' | 'acts'
  readonly right?: boolean
  readonly tight?: boolean
  /** Hidden between 768 and 1100 pixels. */
  readonly secondary?: boolean
}

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
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
  /** Columns of equal width, so that stacked tables align. */
  even?: boolean
}

/** Explicit because display:grid on narrow screens removes the implicit ones. */
const ROLES = { table: { role: 'table' }, row: { role: 'row' }, cell: { role: 'cell' } } as const

const classOf = <T,>(column: Column<T>): string =>
  [
    column.role ? styles[column.role] : undefined,
    column.right ? styles.right : undefined,
    column.tight || column.role === 'acts' ? styles.tight : undefined,
    column.secondary ? styles.medium : undefined,
  ]
    .filter(Boolean)
    .join(' ')

/** A table that turns into cards below 768 pixels. */
export function Table<T>({ label, rows, columns, keyOf, selection, empty, even }: TableProps<T>) {
  if (rows.length === 0) return empty
  return (
    <div className={styles.wrap}>
      <table
        className={even ? `${styles.table} ${styles.even}` : styles.table}
        {...ROLES.table}
        aria-label={label}
      >
        <thead>
          <tr {...ROLES.row}>
            {selection ? (
              <th scope="col" className={styles.tight}>
                <TickAll rows={rows} keyOf={keyOf} selection={selection} />
              </th>
            ) : null}
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classOf(column)}>
                {column.role === 'acts' ? <Hidden>{column.header}</Hidden> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={keyOf(row)}
              row={row}
              id={keyOf(row)}
              columns={columns}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TickAll<T>({
  rows,
  keyOf,
  selection,
}: Pick<TableProps<T>, 'rows' | 'keyOf'> & { selection: Selection }) {
  const chosen = rows.filter((row) => selection.ids.has(keyOf(row))).length
  return (
    <Tick
      bare
      label="Select all rows"
      checked={chosen === rows.length}
      indeterminate={chosen > 0 && chosen < rows.length}
      onChange={(checked) => selection.onChange(new Set(checked ? rows.map(keyOf) : []))}
    />
  )
}

interface LineProps<T> {
  row: T
  id: string
  columns: readonly Column<T>[]
  selection: Selection | undefined
}

function Line<T>({ row, id, columns, selection }: LineProps<T>) {
  const selected = selection?.ids.has(id) ?? false
  const toggle = (checked: boolean): void => {
    const next = new Set(selection?.ids)
    if (checked) next.add(id)
    else next.delete(id)
    selection?.onChange(next)
  }
  return (
    <tr {...ROLES.row} data-selected={selected || undefined}>
      {selection ? (
        <td {...ROLES.cell} className={`${styles.tick} ${styles.tight}`}>
          <Tick
            bare
            label={`Select ${selection.nameOf(id)}`}
            checked={selected}
            onChange={toggle}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.header}
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
