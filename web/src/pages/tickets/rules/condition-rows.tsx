import { MAX_CONDITIONS } from '@lodge/shared/support/rules/rule.ts'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Labelled } from '../../../ui/form/section.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import type { FieldChoices } from './choices.ts'
import { ConditionValue } from './condition-value.tsx'
import { type ConditionDraft, FIELDS, newCondition, OPS } from './rule-draft.ts'
import styles from './rules.module.css'
import { t } from './words.ts'

interface ConditionRowsProps {
  /** Whether one of them is enough. */
  any: boolean
  value: readonly ConditionDraft[]
  /** The total number of the rule's conditions. */
  count: number
  choicesOf: FieldChoices
  onChange: (value: readonly ConditionDraft[]) => void
}

/** The conditions of a rule that must all be met, or of which one must. */
export function ConditionRows({ any, value, count, choicesOf, onChange }: ConditionRowsProps) {
  const label = any ? t.any : t.all
  return (
    <Labelled label={label}>
      <Column gap={8}>
        {value.length === 0 ? null : (
          <ul className={styles.rows} aria-label={label}>
            {value.map((condition, at) => (
              <Row
                key={condition.key}
                any={any}
                number={at + 1}
                condition={condition}
                choicesOf={choicesOf}
                onChange={(next) => onChange(value.with(at, next))}
                onRemove={() => onChange(value.toSpliced(at, 1))}
              />
            ))}
          </ul>
        )}
        {count >= MAX_CONDITIONS ? null : (
          <div>
            <Button
              size="small"
              icon={<Plus />}
              onClick={() => onChange([...value, newCondition('subject')])}
            >
              {any ? t.addAny : t.addCondition}
            </Button>
          </div>
        )}
      </Column>
    </Labelled>
  )
}

interface RowProps {
  any: boolean
  number: number
  condition: ConditionDraft
  choicesOf: FieldChoices
  onChange: (value: ConditionDraft) => void
  onRemove: () => void
}

function Row({ any, number, condition, choicesOf, onChange, onRemove }: RowProps) {
  const { field, op } = condition
  const labels = any
    ? {
        field: t.alternativeAt({ number }),
        op: t.alternativeOpAt({ number }),
        value: t.alternativeValueAt({ number }),
        remove: t.removeAlternative({ number }),
      }
    : {
        field: t.conditionAt({ number }),
        op: t.opAt({ number }),
        value: t.valueAt({ number }),
        remove: t.removeCondition({ number }),
      }
  return (
    <li className={styles.condition}>
      <div className={styles.what}>
        <SelectField
          bare
          searchable
          label={labels.field}
          choices={FIELDS.map((one) => ({ value: one, label: t.field({ field: one }) }))}
          value={field}
          onChange={(next) => {
            if (next !== field) onChange({ ...newCondition(next), key: condition.key })
          }}
        />
      </div>
      <div className={styles.how}>
        <SelectField
          bare
          label={labels.op}
          choices={OPS[field].map((one) => ({ value: one, label: t.op({ op: one }) }))}
          value={op}
          onChange={(next) => onChange({ ...condition, op: next })}
        />
      </div>
      <div className={styles.how}>
        <ConditionValue
          label={labels.value}
          condition={condition}
          choices={choicesOf(field)}
          onChange={(next) => onChange({ ...condition, ...next })}
        />
      </div>
      <div className={styles.cross}>
        <IconButton label={labels.remove} size="small" onClick={onRemove}>
          <X />
        </IconButton>
      </div>
    </li>
  )
}
