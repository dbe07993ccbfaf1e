import { MOST_CONDITIONS } from '@lodge/shared/schedules.ts'
import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { ActionMenu } from '../../../ui/buttons/menu.tsx'
import { ManyField } from '../../../ui/choices/many-field.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { serverWord } from '../../../ui/data/status.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Labelled } from '../../../ui/form/section.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import styles from '../schedules.module.css'
import { type ConditionDraft, newCondition } from '../task-draft.ts'
import { t } from '../words.ts'
import type { TaskPartProps } from './task-fields.tsx'

const ABOUT = ['state', 'players', 'output', 'disk', 'memory'] as const

const aboutWord = (about: ConditionDraft['about']): string =>
  ({
    state: t.aboutState,
    players: t.aboutPlayers,
    output: t.aboutOutput,
    disk: t.aboutDisk,
    memory: t.aboutMemory,
  })[about]

/** The conditions of a task, and what happens to the run if they are not met. */
export function Conditions({ task, errorAt, onChange }: TaskPartProps) {
  const { conditions } = task
  const put = (next: readonly ConditionDraft[], pointer = 'conditions'): void =>
    onChange({ conditions: next }, pointer)
  return (
    <Labelled label={t.conditions}>
      <Column gap={8}>
        <ul className={styles.conditions} aria-label={t.conditions}>
          {conditions.map((condition, at) => (
            <li key={at}>
              <span>{aboutWord(condition.about)}</span>
              <Condition
                condition={condition}
                errorAt={(field) => errorAt(`conditions/${at}/${field}`)}
                onChange={(fields, pointer) =>
                  put(
                    conditions.with(at, { ...condition, ...fields }),
                    `conditions/${at}/${pointer}`,
                  )
                }
              />
              <IconButton
                label={t.removeCondition({ condition: aboutWord(condition.about) })}
                size="small"
                onClick={() => put(conditions.toSpliced(at, 1))}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
        <div>
          <ActionMenu
            label={t.addCondition}
            entries={ABOUT.map((about) => ({
              label: aboutWord(about),
              disabledBecause:
                conditions.length < MOST_CONDITIONS
                  ? undefined
                  : t.conditionsFull({ most: MOST_CONDITIONS }),
              onSelect: () => put([...conditions, newCondition(about)]),
            }))}
          >
            <Button size="small" kind="quiet" icon={<Plus />}>
              {t.addCondition}
            </Button>
          </ActionMenu>
        </div>
        {conditions.length === 0 ? null : (
          <SelectField
            label={t.otherwise}
            choices={[
              { value: 'skip', label: t.otherwiseSkip },
              { value: 'end', label: t.otherwiseEnd },
            ]}
            value={task.otherwise}
            onChange={(otherwise) =>
              onChange({ otherwise: otherwise as 'skip' | 'end' }, 'otherwise')
            }
          />
        )}
      </Column>
    </Labelled>
  )
}

interface ConditionProps {
  condition: ConditionDraft
  errorAt: (field: string) => string | undefined
  onChange: (fields: Partial<ConditionDraft>, pointer: string) => void
}

function Condition({ condition, errorAt, onChange }: ConditionProps) {
  const { about } = condition
  const name = aboutWord(about)
  if (about === 'state')
    return (
      <ManyField
        label={name}
        bare
        choices={SERVER_STATUSES.map((value) => ({ value, label: serverWord(value) }))}
        value={condition.in}
        error={errorAt('in')}
        onChange={(next) => onChange({ in: next }, 'in')}
      />
    )
  if (about === 'output')
    return (
      <TextField
        label={t.outputContains}
        bare
        autoComplete="off"
        placeholder={t.outputContains}
        value={condition.contains}
        error={errorAt('contains')}
        onChange={(contains) => onChange({ contains }, 'contains')}
      />
    )
  const unit = about === 'players' ? 'count' : 'percent'
  return (
    <div className={styles.compare}>
      <SelectField
        label={t.compareOf({ condition: name })}
        bare
        choices={[
          { value: 'atLeast', label: t.atLeast },
          { value: 'atMost', label: t.atMost },
        ]}
        value={condition.compare}
        onChange={(compare) => onChange({ compare: compare as 'atLeast' | 'atMost' }, 'compare')}
      />
      <NumberField
        label={unit === 'count' ? t.players : t.percent}
        bare
        value={condition.amount}
        error={errorAt(unit)}
        onChange={(amount) => onChange({ amount }, unit)}
      />
    </div>
  )
}
