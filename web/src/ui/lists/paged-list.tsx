import type { ComponentProps, ReactNode } from 'react'
import type { ArrangedList } from '../data/column.ts'
import type { FilterField } from '../data/filter-box.tsx'
import { ListToolbar, type ViewChange } from '../data/list-toolbar.tsx'
import { ExportLink } from '../data/list-tools.tsx'
import { Pager } from '../data/pager.tsx'
import { Table } from '../data/table.tsx'
import { TableSkeleton } from '../data/table-skeleton.tsx'
import { Loaded } from '../notices/loaded.tsx'
import { NoResults } from '../notices/states.tsx'
import { Card } from '../page/card.tsx'

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

interface PagedListProps<T> {
  /** What the table lists, for screen readers. */
  label: string
  /** What is searched, such as `Search servers`. */
  searchLabel: string
  fields: readonly FilterField[]
  /** Filter, order and page, from the URL. */
  search: {
    readonly q?: string | undefined
    readonly sort?: string | undefined
    readonly after?: string | undefined
  }
  query: ComponentProps<typeof Loaded<Page<T>>>['query'] & { readonly isPlaceholderData: boolean }
  keyOf: (row: T) => string
  list: ArrangedList<T>
  /** Must be a stable function; another filter or order begins on the first page. */
  onShow: (change: ViewChange) => void
  onGo: ComponentProps<typeof Pager>['onGo']
  /** The whole filtered list as a file. */
  csv: ComponentProps<typeof ExportLink>
  selection?: ComponentProps<typeof Table<T>>['selection'] | undefined
  /** Shown when the filter matches nothing: `No servers match “state:gone”`. */
  noMatch: (given: { filter: string }) => string
  /** Shown instead of an empty list, unless the filter is the reason. */
  empty: ReactNode
}

/** A list that the server filters, sorts and pages. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { label, searchLabel, fields, search, query, keyOf, list, onShow, onGo, csv } = props
  const { q: filter = '', sort, after } = search
  return (
    <>
      <ListToolbar
        label={searchLabel}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={onShow}
        list={list}
        csv={<ExportLink {...csv} />}
      />
      <Card flush>
        <Loaded query={query} skeleton={<TableSkeleton columns={list.columns} />}>
          {({ items }) => (
            <Table
              label={label}
              keys
              waiting={query.isPlaceholderData}
              rows={items}
              columns={list.columns}
              onWidth={list.setWidth}
              keyOf={keyOf}
              sorting={{ by: sort, onChange: (by) => onShow({ sort: by }) }}
              {...(props.selection ? { selection: props.selection } : {})}
              empty={
                props.empty ?? (
                  <NoResults
                    title={props.noMatch({ filter })}
                    onClear={() => onShow({ q: undefined })}
                  />
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={query.data?.items.length ?? 0}
        after={after}
        next={query.data?.nextCursor ?? null}
        size={{
          rows: list.kept.pageSize,
          onChange: (pageSize) => {
            list.keep({ pageSize })
            onShow({})
          },
        }}
        onGo={onGo}
      />
    </>
  )
}
