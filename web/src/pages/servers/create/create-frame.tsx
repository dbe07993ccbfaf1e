import type { ComponentProps, ReactNode } from 'react'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { Form } from '../../../ui/form/form.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Split } from '../../../ui/page/layout.tsx'
import styles from './new-server.module.css'
import { t } from './words.ts'

interface CreateFrameProps {
  form: ComponentProps<typeof Form>['form'] & {
    changed: readonly string[]
    errors: Readonly<Record<string, string>>
    field: (name: 'start') => BoundField<boolean>
  }
  submitText: string
  disabledBecause?: string | undefined
  /** A summary of the form, as facts. */
  summary: ReactNode
  /** Switches below the one for starting. */
  more?: ReactNode
  /** The cards to fill in. */
  children: ReactNode
}

/** The layout of every creation form: cards, and beside them the summary and the button. */
export function CreateFrame({
  form,
  submitText,
  disabledBecause,
  summary,
  more,
  children,
}: CreateFrameProps) {
  return (
    <Split side={320}>
      <Column>{children}</Column>
      <div className={styles.side}>
        <Card title={t.summary}>
          <Form
            form={form}
            command
            submitText={submitText}
            submitFull
            disabledBecause={disabledBecause}
          >
            <UnsavedGuard changes={form.changed.length > 0} isSaving={() => form.busy} />
            {summary}
            <SwitchField label={t.startAfter} {...form.field('start')} />
            {more}
            {form.refusal === undefined && Object.keys(form.errors).length > 0 ? (
              <Note tone="warn">{t.fieldsNeedAttention}</Note>
            ) : null}
          </Form>
        </Card>
      </div>
    </Split>
  )
}
