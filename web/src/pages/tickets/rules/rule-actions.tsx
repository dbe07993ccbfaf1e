import type { ChangeRule, Rule } from '@lodge/shared/support/rules/rule.ts'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import History from 'lucide-react/icons/history'
import Power from 'lucide-react/icons/power'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useAct } from '../../../query.ts'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface RuleActionsProps {
  rule: Rule
  count: number
  onRecord: () => void
}

/** Moves a rule, turns it on or off, shows its runs, or deletes it. */
export function RuleActions({ rule, count, onRecord }: RuleActionsProps) {
  const { id, name, position, enabled } = rule
  const [deletes, setDeletes] = useState(false)
  const change = useAct('PUT /api/support/rules/{id}', ['GET /api/support/rules'])
  const remove = useAct('DELETE /api/support/rules/{id}', ['GET /api/support/rules'])
  const put = (body: ChangeRule): void =>
    change.mutate(
      { params: { id }, body },
      { onError: (error) => toastRefused(t.notChanged, error) },
    )
  return (
    <>
      <RowActions
        label={t.actionsFor({ name })}
        entries={[
          {
            label: t.up,
            icon: <ArrowUp />,
            disabledBecause: position === 0 ? t.isFirst : undefined,
            onSelect: () => put({ position: position - 1 }),
          },
          {
            label: t.down,
            icon: <ArrowDown />,
            disabledBecause: position === count - 1 ? t.isLast : undefined,
            onSelect: () => put({ position: position + 1 }),
          },
          {
            label: enabled ? t.switchOff : t.switchOn,
            icon: <Power />,
            onSelect: () => put({ enabled: !enabled }),
          },
          { label: t.record, icon: <History />, onSelect: onRecord },
          {
            label: t.delete,
            icon: <Trash2 />,
            danger: true,
            separated: true,
            onSelect: () => setDeletes(true),
          },
        ]}
      />
      <ConfirmDialog
        opened={deletes}
        onClose={() => setDeletes(false)}
        title={t.deleteTitle({ name })}
        verb={t.deleteRule}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone(t.deleted)
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}
