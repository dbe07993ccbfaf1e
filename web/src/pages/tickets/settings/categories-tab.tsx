import type { Category, DeskArrangement } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Column } from '../../../ui/data/column.ts'
import { NameButton } from '../../../ui/data/name-button.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { t as parts } from '../parts/words.ts'
import { CategoryDialog } from './category-dialog.tsx'
import { t } from './words.ts'

/** What customers choose from when they write. */
export default function CategoriesTab() {
  const settings = useQuery(q('GET /api/support/settings'))
  return <Loaded query={settings}>{(found) => <Categories settings={found} />}</Loaded>
}

function Categories({ settings }: { settings: DeskArrangement }) {
  const { categories, groups } = settings
  const [open, setOpen] = useState<Category | 'new'>()
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {t.newCategory}
    </Button>
  )
  const columns: readonly Column<Category>[] = [
    {
      header: t.name,
      role: 'title',
      cell: (category) => <NameButton name={category.name} onOpen={() => setOpen(category)} />,
    },
    {
      header: t.group,
      cell: ({ groupId }) => groups.find(({ id }) => id === groupId)?.name ?? t.noGroup,
    },
    {
      header: t.priority,
      tight: true,
      cell: ({ defaultPriority }) => parts.priority({ priority: defaultPriority }),
    },
    { header: t.fields, right: true, tight: true, cell: ({ fields }) => fields.length },
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
    <Card title={t.categories} flush actions={categories.length > 0 ? create : undefined}>
      <Table
        label={t.categories}
        keys
        rows={categories}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noCategories} art="copies" action={create}>
            {t.noCategoriesText}
          </Empty>
        }
      />
      {open === undefined ? null : (
        <CategoryDialog
          key={open === 'new' ? 'new' : open.id}
          category={open === 'new' ? undefined : open}
          groups={groups}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}
