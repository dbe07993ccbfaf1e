import { type CategoryField, MAX_CATEGORY_FIELDS } from '@lodge/shared/support/desk.ts'
import { FIELD_TYPES } from '@lodge/shared/support/ticket-words.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { t } from './words.ts'

interface AskedFieldsProps {
  value: readonly CategoryField[]
  errors: Readonly<Record<string, string>>
  onChange: (value: readonly CategoryField[]) => void
}

/** A unique key for a new field. */
function newKey(value: readonly CategoryField[]): string {
  const used = new Set(value.map(({ key }) => key))
  let number = value.length + 1
  while (used.has(`field_${number}`)) number += 1
  return `field_${number}`
}

/** The additional fields of a category. */
export function AskedFields({ value, errors, onChange }: AskedFieldsProps) {
  const change = (at: number, next: Partial<CategoryField>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...next } : one)))
  return (
    <Column gap={10}>
      <Text strong>{t.fields}</Text>
      {value.map(({ key, label, type, required, choices }, at) => (
        <Column key={key} gap={6}>
          <Row>
            <TextField
              bare
              label={t.fieldLabel({ number: at + 1 })}
              autoComplete="off"
              value={label}
              error={errors[`fields/${at}/label`]}
              onChange={(next) => change(at, { label: next })}
            />
            <SelectField
              bare
              label={t.fieldType({ number: at + 1 })}
              choices={FIELD_TYPES.map((one) => ({ value: one, label: t.type({ type: one }) }))}
              value={type}
              onChange={(next) =>
                change(at, { type: next, ...(next !== 'select' && { choices: [] }) })
              }
            />
            <Tick
              checked={required}
              label={t.fieldRequired({ number: at + 1 })}
              onChange={(next) => change(at, { required: next })}
            />
            <IconButton
              label={t.removeField({ number: at + 1 })}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <Trash2 />
            </IconButton>
          </Row>
          {type === 'select' ? (
            <Choices
              at={at}
              value={choices}
              error={errors[`fields/${at}/choices`]}
              onChange={(next) => change(at, { choices: next })}
            />
          ) : null}
        </Column>
      ))}
      {value.length >= MAX_CATEGORY_FIELDS ? null : (
        <div>
          <Button
            size="small"
            icon={<Plus />}
            onClick={() =>
              onChange([
                ...value,
                { key: newKey(value), label: '', type: 'text', required: false, choices: [] },
              ])
            }
          >
            {t.addField}
          </Button>
        </div>
      )}
    </Column>
  )
}

interface ChoicesProps {
  at: number
  value: readonly string[]
  error: string | undefined
  onChange: (value: string[]) => void
}

/** The options of a choice, kept as typed. */
function Choices({ at, value, error, onChange }: ChoicesProps) {
  const [typed, setTyped] = useState(value.join(', '))
  return (
    <TextField
      label={t.choices({ number: at + 1 })}
      width="fill"
      autoComplete="off"
      value={typed}
      error={error}
      onChange={(next) => {
        setTyped(next)
        onChange([
          ...new Set(
            next
              .split(',')
              .map((one) => one.trim())
              .filter(Boolean),
          ),
        ])
      }}
    />
  )
}
