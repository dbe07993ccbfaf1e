import { MAX_RULE_ACTIONS } from '@lodge/shared/support/rules/rule.ts'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Labelled } from '../../../ui/form/section.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { ActionDetail } from './action-detail.tsx'
import type { FieldChoices } from './choices.ts'
import { ACTIONS, type ActionDraft, newAction } from './rule-draft.ts'
import styles from './rules.module.css'
import { t } from './words.ts'

interface ActionRowsProps {
  value: readonly ActionDraft[]
  choicesOf: FieldChoices
  onChange: (value: readonly ActionDraft[]) => void
}

/** The actions of a rule, in order. */
export function ActionRows({ value, choicesOf, onChange }: ActionRowsProps) {
  return (
    <Labelled label={t.thenDo}>
      <Column gap={8}>
        <ul className={styles.rows} aria-label={t.thenDo}>
          {value.map((action, at) => (
            <li key={action.key} className={styles.action}>
              <div className={styles.what}>
                <SelectField
                  bare
                  label={t.actionAt({ number: at + 1 })}
                  choices={ACTIONS.map((type) => ({ value: type, label: t.action({ type }) }))}
                  value={action.type}
                  onChange={(type) => {
                    if (type !== action.type)
                      onChange(value.with(at, { ...newAction(type), key: action.key }))
                  }}
                />
              </div>
              <div className={styles.how}>
                <ActionDetail
                  number={at + 1}
                  action={action}
                  choicesOf={choicesOf}
                  onChange={(next) => onChange(value.with(at, { ...action, ...next }))}
                />
              </div>
              <div className={styles.cross}>
                <IconButton
                  label={t.removeAction({ number: at + 1 })}
                  size="small"
                  onClick={() => onChange(value.toSpliced(at, 1))}
                >
                  <X />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
        {value.length >= MAX_RULE_ACTIONS ? null : (
          <div>
            <Button
              size="small"
              icon={<Plus />}
              onClick={() => onChange([...value, newAction('add_tags')])}
            >
              {t.addAction}
            </Button>
          </div>
        )}
      </Column>
    </Labelled>
  )
}
