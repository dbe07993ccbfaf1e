import type { Plan } from '@lodge/shared/plans.ts'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import styles from './plans.module.css'
import { t } from './words.ts'

interface OrderDialogProps {
  plans: readonly Plan[]
  onClose: () => void
}

/** Puts plans in the order in which the store shows them, by dragging or by the buttons of each. */
export function OrderDialog({ plans, onClose }: OrderDialogProps) {
  const [order, setOrder] = useState(plans)
  const reorder = useAct('POST /api/plans/reorder', ['GET /api/plans'])
  const [dragged, setDragged] = useState<number>()
  const move = (from: number, to: number) => {
    const plan = order[from]
    if (plan) setOrder(order.toSpliced(from, 1).toSpliced(to, 0, plan))
  }
  const dragOver = (at: number) => {
    if (dragged === undefined || dragged === at) return
    move(dragged, at)
    setDragged(at)
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
      <ol className={styles.order}>
        {order.map(({ id, name }, at) => (
          <li
            key={id}
            data-dragged={dragged === at || undefined}
            onDragOver={(event) => {
              event.preventDefault()
              dragOver(at)
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <span
              className={styles.grip}
              draggable
              aria-hidden
              title={t.dragPlan}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', name)
                setDragged(at)
              }}
              onDragEnd={() => setDragged(undefined)}
            >
              <GripVertical aria-hidden />
            </span>
            <span className={styles.orderName}>{name}</span>
            <Row gap={2} nowrap>
              <IconButton
                label={t.moveUp({ name })}
                disabledBecause={at === 0 ? t.isFirst : undefined}
                onClick={() => move(at, at - 1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                label={t.moveDown({ name })}
                disabledBecause={at === order.length - 1 ? t.isLast : undefined}
                onClick={() => move(at, at + 1)}
              >
                <ArrowDown />
              </IconButton>
            </Row>
          </li>
        ))}
      </ol>
    </ConfirmDialog>
  )
}
