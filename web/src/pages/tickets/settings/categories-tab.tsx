import type { Category, DeskArrangement } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import type { Column } from '../../../ui/data/column.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { t as parts } from '../parts/words.ts'
import { ArrangedCard } from './arranged-card.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { t } from './words.ts'

/** The categories that customers choose from. */
export default function CategoriesTab() {
  const settings = useQuery(q('GET /api/support/settings'))
  return <Loaded query={settings}>{(found) => <Categories settings={found} />}</Loaded>
}

function Categories({ settings }: { settings: DeskArrangement }) {
  const { categories, groups } = settings
  const columns: readonly Column<Category>[] = [
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
  ]
  return (
    <ArrangedCard
      title={t.categories}
      rows={categories}
      columns={columns}
      create={t.newCategory}
      empty={{ title: t.noCategories, art: 'copies', text: t.noCategoriesText }}
      dialog={(category, onClose) => (
        <CategoryDialog
          key={category?.id ?? 'new'}
          category={category}
          groups={groups}
          onClose={onClose}
        />
      )}
    />
  )
}
