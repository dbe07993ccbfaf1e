import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Column } from '../../../ui/data/column.ts'
import { NameButton } from '../../../ui/data/name-button.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { t } from './words.ts'

interface Arranged {
  readonly id: string
  readonly name: string
  readonly active: boolean
}

interface ArrangedCardProps<Row extends Arranged> {
  title: string
  rows: readonly Row[]
  /** Columns between the name and the state. */
  columns: readonly Column<Row>[]
  /** Label of the button that creates one. */
  create: string
  empty: { title: string; art: 'copies' | 'people'; text: string }
  /** The dialog that changes one of them, or creates one (undefined). */
  dialog: (open: Row | undefined, onClose: () => void) => ReactNode
}

/** Categories or groups, in use or archived: a list whose entries open in a dialog. */
export function ArrangedCard<Row extends Arranged>(props: ArrangedCardProps<Row>) {
  const { title, rows, empty, dialog } = props
  const [open, setOpen] = useState<Row | 'new'>()
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {props.create}
    </Button>
  )
  const columns: readonly Column<Row>[] = [
    {
      header: t.name,
      role: 'title',
      cell: (row) => <NameButton name={row.name} onOpen={() => setOpen(row)} />,
    },
    ...props.columns,
    {
      id: 'active',
      header: t.state,
      tight: true,
      cell: ({ active }) => (
        <Pill tone={active ? 'ok' : 'idle'}>{active ? t.inUse : t.archived}</Pill>
      ),
    },
  ]
  return (
    <Card title={title} flush actions={rows.length > 0 ? create : undefined}>
      <Table
        label={title}
        keys
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={empty.title} art={empty.art} action={create}>
            {empty.text}
          </Empty>
        }
      />
      {open === undefined
        ? null
        : dialog(open === 'new' ? undefined : open, () => setOpen(undefined))}
    </Card>
  )
}
