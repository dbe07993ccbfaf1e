import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import type { ShownTemplate } from './shown-template.ts'

/** Whether customers may choose this template, and its description for them. */
export function StoreCard({ template }: { template: ShownTemplate }) {
  const missing = useMissing()
  const form = useForm<
    { customerVisible: boolean; featured: boolean; customerDescription: string },
    unknown
  >({
    initial: {
      customerVisible: template.customerVisible,
      featured: template.featured,
      customerDescription: template.customerDescription ?? '',
    },
    submit: ({ customerVisible, featured, customerDescription: text }) =>
      api('PUT /api/templates/{id}/store', {
        params: { id: template.id },
        body: { customerVisible, featured, customerDescription: text.trim() === '' ? null : text },
      }),
    refreshes: ['GET /api/templates', 'GET /api/templates/{id}'],
    done: () => {
      toastDone('Store entry saved')
    },
  })
  return (
    <Card title="Store">
      <Form
        form={form}
        submitText="Save store entry"
        submitKind="default"
        disabledBecause={missing('templates.manage')}
      >
        <SwitchField label="Customers may choose it" {...form.field('customerVisible')} />
        <SwitchField
          label="Featured"
          description="Listed before the others"
          {...form.field('featured')}
        />
        <AreaField
          label="Description for customers (optional)"
          rows={3}
          {...form.field('customerDescription')}
        />
      </Form>
    </Card>
  )
}
