import { Hidden } from '../page/layout.tsx'
import { t } from '../page/words.ts'
import { type Column, columnId } from './column.ts'
import table from './table.module.css'
import { classOf } from './table-rows.tsx'
import styles from './table-skeleton.module.css'

/**
 * The headers of a table with bars instead of rows, so that the layout does not jump when they
 * arrive.
 */
export function TableSkeleton<T>({
  columns,
  rows = 8,
}: {
  columns: readonly Column<T>[]
  rows?: number
}) {
  return (
    <div role="status" className={styles.waiting}>
      <Hidden>{t.loading}</Hidden>
      <table aria-hidden className={`${table.table} ${table.even}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={columnId(column)} className={classOf(column)}>
                {column.role === 'acts' ? null : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={columnId(column)} className={classOf(column)}>
                  {column.role === 'acts' ? null : <div className={styles.bar} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
