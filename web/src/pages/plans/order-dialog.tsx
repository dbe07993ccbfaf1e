import type { Plan } from '@lodge/shared/plans.ts'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

interface OrderDialogProps {
  plans: readonly Plan[]
  onClose: () => void
}

/** Puts plans in the order in which the store shows them. */
export function OrderDialog({ plans, onClose }: OrderDialogProps) {
  const [order, setOrder] = useState(plans)
  const reorder = useAct('POST /api/plans/reorder', ['GET /api/plans'])
  const swap = (at: number, by: 1 | -1) => {
    const [one, other] = [order[at], order[at + by]]
    if (one && other) setOrder(order.with(at, other).with(at + by, one))
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.changeOrder}
      verb={t.changeOrder}
      kind="primary"
      onConfirm={async () => {
        await reorder.mutateAsync({ body: { ids: order.map(({ id }) => id) } })
        toastDone(t.orderChanged)
      }}
    >
      <Column gap={4}>
        {order.map(({ id, name }, at) => (
          <Row key={id} between nowrap>
            <span>{name}</span>
            <Row gap={2} nowrap>
              <IconButton
                label={t.moveUp({ name })}
                disabledBecause={at === 0 ? t.isFirst : undefined}
                onClick={() => swap(at, -1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                label={t.moveDown({ name })}
                disabledBecause={at === order.length - 1 ? t.isLast : undefined}
                onClick={() => swap(at, 1)}
              >
                <ArrowDown />
              </IconButton>
            </Row>
          </Row>
        ))}
      </Column>
    </ConfirmDialog>
  )
}
