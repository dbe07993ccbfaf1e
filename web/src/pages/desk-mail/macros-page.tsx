import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data/column.ts'
import { wordOf } from '../../ui/data/known.ts'
import { Table } from '../../ui/data/table.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { MacroForm } from './macro-form.tsx'
import { doneBy, type Macro } from './macro-words.ts'
import { t } from './words.ts'

/** The macros that agents apply to tickets with one click. */
export default function MacrosPage() {
  const macros = useQuery(q('GET /api/support/macros'))
  const [edited, setEdited] = useState<Macro | 'new'>()
  const isNew = edited === 'new'
  return (
    <Page
      title={t.macros}
      lead={t.macrosLead}
      actions={
        <Button kind="primary" icon={<Plus />} onClick={() => setEdited('new')}>
          {t.newMacro}
        </Button>
      }
    >
      <Loaded query={macros} lines={6}>
        {({ items }) => (
          <Card flush>
            <Table
              label={t.macros}
              rows={items}
              keyOf={({ id }) => id}
              columns={columns(setEdited)}
              empty={
                <Empty title={t.noMacros} art="mail">
                  {t.noMacrosText}
                </Empty>
              }
            />
          </Card>
        )}
      </Loaded>
      <Dialog
        title={isNew ? t.newMacro : t.editMacro}
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
      >
        {edited === undefined ? null : (
          <MacroForm macro={isNew ? undefined : edited} onDone={() => setEdited(undefined)} />
        )}
      </Dialog>
    </Page>
  )
}

const columns = (onEdit: (macro: Macro) => void): readonly Column<Macro>[] => [
  {
    id: 'name',
    header: t.name,
    role: 'title',
    cell: ({ name }) => <Text strong>{name}</Text>,
  },
  { id: 'does', header: t.does, cell: ({ actions }) => actions.map(doneBy).join(', ') },
  {
    id: 'scope',
    header: t.forWhom,
    tight: true,
    cell: ({ scope }) => wordOf(SCOPES, scope),
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (macro) =>
      macro.mayEdit ? (
        <Row gap={6}>
          <Button
            size="small"
            aria-label={t.editOne({ name: macro.name })}
            onClick={() => onEdit(macro)}
          >
            {t.edit}
          </Button>
          <Delete macro={macro} />
        </Row>
      ) : null,
  },
]

const SCOPES: Readonly<Record<Macro['scope'], () => string>> = {
  all: () => t.forAll,
  group: () => t.forGroup,
  personal: () => t.forMe,
}

function Delete({ macro: { id, name } }: { macro: Macro }) {
  const remove = useAct('DELETE /api/support/macros/{id}', ['GET /api/support/macros'])
  return (
    <QuickConfirm
      question={t.deleteQuestion}
      verb={t.deleteMacro}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => toastDone(t.deleted),
            onError: (error) => toastRefused(t.notDeleted, error),
          },
        )
      }
    >
      <Button size="small" aria-label={t.deleteOne({ name })}>
        {t.delete}
      </Button>
    </QuickConfirm>
  )
}
