import { MOST_TASKS, type ScheduleOptions, type TaskAction } from '@lodge/shared/schedules.ts'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { ActionMenu } from '../../../ui/buttons/menu.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import styles from '../schedules.module.css'
import { movedTask, newTask, type TaskDraft } from '../task-draft.ts'
import { actionName, TASK_ICONS } from '../task-words.ts'
import { t } from '../words.ts'
import type { Values } from './schedule-values.ts'
import { TaskCard } from './task-card.tsx'

interface TasksEditorProps {
  form: FormState<Values>
  options: ScheduleOptions
}

/** The tasks in their order: moved by dragging or by the buttons of each. */
export function TasksEditor({ form, options }: TasksEditorProps) {
  const { tasks } = form.values
  const list = useRef<HTMLOListElement>(null)
  const added = useRef(0)
  const [dragged, setDragged] = useState<number>()
  const [fresh, setFresh] = useState<string>()
  // A new task's first field gets the focus.
  useEffect(() => {
    if (fresh === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-task="${fresh}"] :is(input, textarea)`)?.focus()
  }, [fresh])

  const put = (next: readonly TaskDraft[], pointer = 'tasks'): void =>
    form.set('tasks', next, pointer)
  const add = (action: TaskAction): void => {
    added.current += 1
    const key = `new-${added.current}`
    put([...tasks, newTask(key, action)])
    setFresh(key)
  }
  const move = (from: number, to: number): void => put(movedTask(tasks, from, to))
  const whyFull = tasks.length < MOST_TASKS ? undefined : t.tasksFull({ most: MOST_TASKS })
  const entries = options.actions.map(({ action, unavailable }) => {
    const Icon = TASK_ICONS[action]
    return {
      label: actionName(action),
      icon: <Icon />,
      disabledBecause: unavailable ?? whyFull,
      onSelect: () => add(action),
    }
  })
  return (
    <>
      {tasks.length === 0 ? <Text muted>{t.noTasks}</Text> : null}
      <ol ref={list} className={styles.tasks} aria-label={t.tasks}>
        {tasks.map((task, at) => (
          <TaskCard
            key={task.key}
            task={task}
            at={at}
            count={tasks.length}
            errors={form.errors}
            unavailable={
              options.actions.find(({ action }) => action === task.action)?.unavailable ?? undefined
            }
            isDragged={dragged === at}
            onChange={(next, pointer) => put(tasks.with(at, next), `tasks/${at}/${pointer}`)}
            onMove={(to) => move(at, to)}
            onRemove={() => put(tasks.toSpliced(at, 1))}
            onDrag={(isOn) => setDragged(isOn ? at : undefined)}
            onDragOver={() => {
              if (dragged === undefined || dragged === at) return
              move(dragged, at)
              setDragged(at)
            }}
          />
        ))}
      </ol>
      <div>
        <ActionMenu label={t.addTask} entries={entries}>
          <Button icon={<Plus />}>{t.addTask}</Button>
        </ActionMenu>
      </div>
    </>
  )
}
