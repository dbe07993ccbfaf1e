import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash2 from 'lucide-react/icons/trash-2'
import { IconButton } from '../../../ui/buttons/button.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { entryOf } from '../../../ui/data/known.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import styles from '../schedules.module.css'
import type { TaskDraft } from '../task-draft.ts'
import { actionName, TASK_ICONS } from '../task-words.ts'
import { t } from '../words.ts'
import { Conditions } from './conditions.tsx'
import { TaskFields } from './task-fields.tsx'

interface TaskCardProps {
  task: TaskDraft
  at: number
  count: number
  errors: Readonly<Record<string, string>>
  unavailable: string | undefined
  isDragged: boolean
  onChange: (next: TaskDraft, pointer: string) => void
  onMove: (to: number) => void
  onRemove: () => void
  onDrag: (isOn: boolean) => void
  onDragOver: () => void
}

/** One task of a schedule: its fields, its position, and its conditions. */
export function TaskCard(props: TaskCardProps) {
  const { task, at, count, errors, unavailable, onChange, onMove, onRemove } = props
  const Icon = entryOf(TASK_ICONS, task.action, () => TASK_ICONS.wait)
  const named = { number: at + 1, task: actionName(task.action) }
  const change = (fields: Partial<TaskDraft>, pointer: string): void =>
    onChange({ ...task, ...fields }, pointer)
  const errorAt = (field: string): string | undefined => errors[`tasks/${at}/${field}`]
  const last = at === count - 1
  return (
    <li
      className={styles.task}
      data-task={task.key}
      data-dragged={props.isDragged || undefined}
      aria-label={t.taskOf(named)}
      onDragOver={(event) => {
        event.preventDefault()
        props.onDragOver()
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <div className={styles.taskHead}>
        <span
          className={styles.grip}
          draggable
          aria-hidden
          title={t.dragTask}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', named.task)
            props.onDrag(true)
          }}
          onDragEnd={() => props.onDrag(false)}
        >
          <GripVertical aria-hidden />
        </span>
        <span className={styles.taskName}>
          <Icon aria-hidden />
          {t.taskOf(named)}
        </span>
        <Row gap={2} nowrap>
          <IconButton
            label={t.moveUp(named)}
            size="small"
            disabledBecause={at === 0 ? t.isFirst : undefined}
            onClick={() => onMove(at - 1)}
          >
            <ArrowUp />
          </IconButton>
          <IconButton
            label={t.moveDown(named)}
            size="small"
            disabledBecause={last ? t.isLast : undefined}
            onClick={() => onMove(at + 1)}
          >
            <ArrowDown />
          </IconButton>
          <IconButton label={t.removeTask(named)} size="small" onClick={onRemove}>
            <Trash2 />
          </IconButton>
        </Row>
      </div>
      <div className={styles.taskBody}>
        {unavailable === undefined ? null : <Note tone="warn">{unavailable}</Note>}
        {errorAt('action') === undefined || unavailable !== undefined ? null : (
          <Note tone="err" role="alert">
            {errorAt('action')}
          </Note>
        )}
        <TaskFields task={task} errorAt={errorAt} onChange={change} />
        <details className={styles.more}>
          <summary>
            {t.moreOf({
              conditions: task.conditions.length,
              goesOn: task.continueOnFailure ? 'yes' : 'no',
            })}
          </summary>
          <Column gap={12}>
            <Conditions task={task} errorAt={errorAt} onChange={change} />
            <Tick
              label={t.continueOnFailure}
              description={<Text small>{t.continueHelp}</Text>}
              checked={task.continueOnFailure}
              onChange={(continueOnFailure) => change({ continueOnFailure }, 'continueOnFailure')}
            />
          </Column>
        </details>
      </div>
    </li>
  )
}
