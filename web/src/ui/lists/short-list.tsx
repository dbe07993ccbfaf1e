import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ArrangedList } from '../data/column.ts'
import { filterRows, type RowField } from '../data/filter-rows.ts'
import { ListToolbar, type ViewChange } from '../data/list-toolbar.tsx'
import { ExportButton } from '../data/list-tools.tsx'
import { saveCsv } from '../data/save-file.ts'
import { type SortKeys, sortRows } from '../data/sort-rows.ts'
import { Table } from '../data/table.tsx'
import { TableSkeleton } from '../data/table-skeleton.tsx'
import { Loaded } from '../notices/loaded.tsx'
import { NoResults } from '../notices/states.tsx'
import { Card } from '../page/card.tsx'

/** How completely loaded rows are filtered, sorted and exported. */
export interface RowTools<T> {
  readonly fields: readonly RowField<T>[]
  /** Everything in which text is searched. */
  readonly textOf: (row: T) => string
  readonly sortKeys: SortKeys<T>
  readonly csv: CsvColumns<T>
}

interface ShortListProps<T> {
  /** What the table lists, for screen readers. */
  label: string
  /** What is searched, such as `Search plans`. */
  searchLabel: string
  /** Name of the CSV file. */
  file: string
  query: UseQueryResult<{ readonly items: readonly T[] }>
  keyOf: (row: T) => string
  list: ArrangedList<T>
  tools: RowTools<T>
  filter: string
  sort: string | undefined
  onShow: (change: ViewChange) => void
  /** Shown when the filter matches nothing: `No plans match “state:gone”`. */
  noMatch: (given: { filter: string }) => string
  /** Shown instead of an empty list. */
  empty: ReactNode
}

/** A list that is loaded completely, with the tools of the long ones. */
export function ShortList<T>({ query, ...rest }: ShortListProps<T>) {
  const skeleton = (
    <Card flush>
      <TableSkeleton columns={rest.list.columns} rows={4} />
    </Card>
  )
  return (
    <Loaded query={query} skeleton={skeleton}>
      {({ items }) => <Found {...rest} rows={items} />}
    </Loaded>
  )
}

function Found<T>(props: Omit<ShortListProps<T>, 'query'> & { rows: readonly T[] }) {
  const { label, searchLabel, file, rows, keyOf, list, tools, filter, sort, onShow, noMatch } =
    props
  if (rows.length === 0) return <Card flush>{props.empty}</Card>
  const { fields, textOf, sortKeys, csv } = tools
  const shown = sortRows(filterRows(rows, filter, fields, textOf), sort, sortKeys)
  const save = (): void => {
    const text = csvHead(csv) + shown.map((row) => csvRow(csv, row)).join('')
    saveCsv(file, text)
  }
  return (
    <>
      <ListToolbar
        label={searchLabel}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={onShow}
        list={list}
        withoutViews
        csv={<ExportButton onClick={save} />}
      />
      <Card flush>
        <Table
          label={label}
          keys
          rows={shown}
          columns={list.columns}
          onWidth={list.setWidth}
          keyOf={keyOf}
          sorting={{ by: sort, onChange: (by) => onShow({ sort: by }) }}
          empty={<NoResults title={noMatch({ filter })} onClear={() => onShow({ q: undefined })} />}
        />
      </Card>
    </>
  )
}
