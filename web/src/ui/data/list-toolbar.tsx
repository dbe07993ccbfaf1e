import { type ReactNode, useCallback } from 'react'
import type { ArrangedList } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { FilterBox, type FilterField } from './filter-box.tsx'
import styles from './toolbar.module.css'
import { Toolbar } from './toolbar.tsx'
import { ViewsMenu } from './views-menu.tsx'

/** A change to the list above it; absent fields stay. */
export interface ViewChange {
  /** Text of the filter. */
  readonly q?: string | undefined
  /** From the URL, so the list may not support it. */
  readonly sort?: string | undefined
}

interface ListToolbarProps<T> {
  /** What is searched, such as `Search servers`. */
  label: string
  fields: readonly FilterField[]
  filter: string
  sort: string | undefined
  /** Must be a stable function: a new one restarts the delay of the box. */
  onShow: (change: ViewChange) => void
  list: ArrangedList<T>
  /** For a list so short that nobody needs views of it. */
  withoutViews?: boolean
  /** Saves the list as a file. */
  csv: ReactNode
}

/** The toolbar of a list: its filter, and what changes its appearance. */
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
