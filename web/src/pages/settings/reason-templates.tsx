import {
  MAX_TEMPLATES,
  type ReasonTemplate,
  SUSPENSION_REASONS,
  type SuspensionReason,
} from '@lodge/shared/suspensions.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { t as suspensionWords } from '../suspensions/words.ts'
import { t } from './words.ts'

interface ReasonTemplatesProps {
  value: readonly ReasonTemplate[]
  errors: Readonly<Record<string, string>>
  onChange: (value: readonly ReasonTemplate[]) => void
}

/** Ready reasons; each with a name, a kind and the text. */
export function ReasonTemplates({ value, errors, onChange }: ReasonTemplatesProps) {
  const change = (at: number, next: Partial<ReasonTemplate>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...next } : one)))
  return (
    <Column gap={24}>
      {value.map((template, at) => (
        <Column key={at} gap={10}>
          <Row between nowrap>
            <b>{t.templateNumber({ number: at + 1 })}</b>
            <IconButton
              label={t.removeTemplate({ name: template.name })}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <Trash2 />
            </IconButton>
          </Row>
          <TextField
            label={t.templateName}
            value={template.name}
            error={errors[`templates/${at}/name`]}
            onChange={(name) => change(at, { name })}
          />
          <SelectField
            label={t.templateReason}
            choices={SUSPENSION_REASONS.map((code) => ({
              value: code,
              label: suspensionWords.reason({ code }),
            }))}
            value={template.reasonCode}
            onChange={(code) => change(at, { reasonCode: code as SuspensionReason })}
          />
          <AreaField
            label={t.templateText}
            rows={3}
            value={template.text}
            error={errors[`templates/${at}/text`]}
            onChange={(text) => change(at, { text })}
          />
        </Column>
      ))}
      <Row>
        <Button
          icon={<Plus />}
          disabledBecause={
            value.length >= MAX_TEMPLATES ? t.enoughTemplates({ count: MAX_TEMPLATES }) : undefined
          }
          onClick={() => onChange([...value, { name: '', reasonCode: 'other', text: '' }])}
        >
          {t.addTemplate}
        </Button>
      </Row>
    </Column>
  )
}
