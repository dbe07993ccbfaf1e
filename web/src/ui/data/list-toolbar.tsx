import { type ReactNode, useCallback } from 'react'
import type { ArrangedList } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { FilterBox, type FilterField } from './filter-box.tsx'
import styles from './toolbar.module.css'
import { Toolbar } from './toolbar.tsx'
import { ViewsMenu } from './views-menu.tsx'

/** What people change of a list above it; what is absent stays. */
export interface ViewChange {
  /** Text of the filter. */
  readonly q?: string | undefined
  /** As the address has it, so it may be an order that the list does not know. */
  readonly sort?: string | undefined
}

interface ListToolbarProps<T> {
  /** What is searched, such as `Search servers`. */
  label: string
  fields: readonly FilterField[]
  filter: string
  sort: string | undefined
  /** Must stay the same function: with another one the box waits anew. */
  onShow: (change: ViewChange) => void
  list: ArrangedList<T>
  /** For a list so short that nobody needs views of it. */
  withoutViews?: boolean
  /** Saves the list as a file. */
  csv: ReactNode
}

/** Above a list: its filter, and whatever changes its look. */
export function ListToolbar<T>(props: ListToolbarProps<T>) {
  const { label, fields, filter, sort, onShow, list, withoutViews, csv } = props
  const { views, columns } = list.kept
  const find = useCallback((text: string) => onShow({ q: text }), [onShow])
  return (
    <Toolbar>
      <FilterBox label={label} fields={fields} value={filter} onChange={find} />
      <div className={styles.tools}>
        {withoutViews ? null : (
          <ViewsMenu
            views={views}
            now={{ filter, sort: sort ?? null, columns }}
            onOpen={(view) => {
              list.keep({ columns: view.columns })
              onShow({ q: view.filter, sort: view.sort ?? undefined })
            }}
            onChange={(next) => list.keep({ views: next })}
          />
        )}
        <ColumnsMenu
          arranged={list.arranged}
          onArrange={list.arrangeAs}
          onReset={() => list.keep({ columns: [] })}
        />
        {csv}
      </div>
    </Toolbar>
  )
}
