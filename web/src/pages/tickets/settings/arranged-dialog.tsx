import type { ComponentProps, ReactNode } from 'react'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, type FormOptions } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface ArrangedDialogProps {
  title: string
  form: ComponentProps<typeof Form>['form']
  name: BoundField<string>
  submitText: string
  wide?: boolean
  onClose: () => void
  /** The other fields. */
  children: ReactNode
}

/** Makes or changes what the desk is arranged by: its name first. */
export function ArrangedDialog(props: ArrangedDialogProps) {
  const { form, name, submitText, children, ...dialog } = props
  return (
    <Dialog opened {...dialog}>
      <Form form={form} submitText={submitText} command>
        <TextField label={t.name} width="fill" autoComplete="off" autoFocus {...name} />
        {children}
      </Form>
    </Dialog>
  )
}

/** What follows once it is saved. */
export const onceArranged = (
  said: string,
  onClose: () => void,
): Pick<FormOptions<object, unknown>, 'refreshes' | 'done'> => ({
  refreshes: ['GET /api/support/settings', 'GET /api/support/config'],
  done: () => {
    toastDone(said)
    onClose()
  },
})
